import type { DataSource } from 'typeorm';

/** The rights of a login that would bypass row-level security; empty for a confined login. */
export async function findRoleFaults(dataSource: DataSource): Promise<string[]> {
  const rows = await dataSource.query<{ fault: string }[]>(`
    SELECT format('role %s is a superuser or has BYPASSRLS', r.rolname) AS fault
      FROM pg_roles r
     WHERE (r.rolsuper OR r.rolbypassrls) AND pg_has_role(current_user, r.oid, 'MEMBER')
    UNION ALL
    SELECT DISTINCT format('it can act as the owner of %s.%s', n.nspname, c.relname)
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('identity', 'reviews', 'builds', 'releases', 'audit', 'environments', 'ledger')
       AND c.relkind IN ('r', 'p') AND pg_has_role(current_user, c.relowner, 'MEMBER')
     LIMIT 5`);
  return rows.map(({ fault }) => fault);
}
