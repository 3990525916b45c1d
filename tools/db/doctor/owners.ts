import { BACKUP_ROLE, LOGIN_ROLES } from '@plat/database';
import type { Check } from './check';

/** Roles that own tables or read every tenant's rows. The owner of a database is a member of them, and no other login. */
const GUARDED = '^plat_([a-z]+_owner|ledger_sealer|inspector)$';

/** Roles by which a login reads or writes past its own functions: another service's login is one. */
const READERS = [
  ...Object.values(LOGIN_ROLES),
  ...[BACKUP_ROLE, 'pg_read_all_data', 'pg_write_all_data'],
  ...['pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'],
];

/** From PostgreSQL 16 on a REVOKE removes the grant of one grantor alone, and only warns if another role has granted it. */
const GRANTOR = `
  CASE WHEN current_setting('server_version_num')::int >= 160000 THEN format(' GRANTED BY %s', m.grantor::regrole) ELSE '' END`;

/**
 * Memberships as they were granted, without those that only administer a role, which PostgreSQL 16 and newer grant to
 * the role that makes another one.
 */
const MEMBERSHIPS = `
  SELECT o.oid, o.rolname AS granted, l.oid AS member_oid, l.rolname AS member, l.rolsuper AS is_super, ${GRANTOR} AS granted_by
    FROM pg_auth_members m JOIN pg_roles o ON o.oid = m.roleid JOIN pg_roles l ON l.oid = m.member
   WHERE coalesce((to_jsonb(m) ->> 'set_option')::boolean, true) OR coalesce((to_jsonb(m) ->> 'inherit_option')::boolean, true)`;

/** Whether a role may act as a guarded one, itself included. */
const REACHES = `
  EXISTS (SELECT FROM pg_roles g WHERE (g.rolname ~ $2 OR g.rolname = ANY ($3)) AND pg_has_role(m.oid, g.oid, 'MEMBER'))`;

/** Finds logins that may act as the roles that own tables. */
export const owners: Check = {
  name: 'owners',
  severity: 'error',
  why: 'The owner of a table may do everything with it, so no service logs in as one or acts as one.',
  sql: `SELECT format('%s %s', o.rolname, f.fault) AS what, format('ALTER ROLE %I %s', o.rolname, f.mend) AS mend
          FROM pg_roles o,
               LATERAL (VALUES (o.rolcanlogin, 'can log in', 'NOLOGIN'), (o.rolsuper, 'is a superuser', 'NOSUPERUSER'),
                               (o.rolbypassrls, 'is free of row-level security', 'NOBYPASSRLS')) AS f (applies, fault, mend)
         WHERE o.rolname ~ $2 AND NOT EXISTS (SELECT FROM pg_database d WHERE d.datdba = o.oid) AND f.applies
        UNION
        SELECT format('%s is a member of %s', m.member, m.granted), format('REVOKE %I FROM %I%s', m.granted, m.member, m.granted_by)
          FROM (${MEMBERSHIPS}) AS m
         WHERE NOT m.is_super
           AND (m.member = ANY ($1) AND ${REACHES}
                OR m.granted ~ $2 AND NOT EXISTS (SELECT FROM pg_database d WHERE d.datdba IN (m.member_oid, m.oid)))`,
  args: [Object.values(LOGIN_ROLES), GUARDED, READERS],
};
