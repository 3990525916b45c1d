import type { Client } from 'pg';

/** The functions that roles other than the owner's own service may execute, and all roles that may. */
const CROSSING = `
  SELECT f.name, f.grantees FROM (
    SELECT p.oid::regprocedure::text AS name, n.nspname::text AS schema,
           ARRAY(SELECT CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE a.grantee::regrole::text END
                   FROM aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a
                  WHERE a.grantee <> p.proowner ORDER BY 1) AS grantees
      FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname IN ('identity', 'reviews', 'builds', 'releases', 'audit', 'environments', 'figures', 'ledger')) AS f
   WHERE EXISTS (SELECT FROM unnest(f.grantees) AS g
                  WHERE g <> CASE WHEN f.schema IN ('reviews', 'builds', 'releases', 'audit') THEN 'plat_' || f.schema
                                  ELSE 'plat_platform' END)
   ORDER BY f.name COLLATE "C"`;

/** libs/database/published.json: the functions that owners open to others, so that a new grant changes a line. */
export async function readPublished(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string; grantees: string[] }>(CROSSING);
  return JSON.stringify(Object.fromEntries(rows.map(({ name, grantees }) => [name, grantees])));
}
