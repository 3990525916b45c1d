import { LOGIN_ROLES, PUBLISHED_FUNCTIONS } from '@plat/database';
import { type Check, SCHEMAS } from './check';
import { owners } from './owners';

const LOGINS = Object.values(LOGIN_ROLES);

/**
 * A table of tenants' rows is one whose primary key starts with the tenant, except identity.closed_tenants, which is read
 * before a tenant is entered.
 */
const TABLES = `
  SELECT c.oid, c.oid::regclass::text AS name, c.relowner, c.relacl, c.relrowsecurity, c.relforcerowsecurity,
         c.relispartition,
         EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
                  WHERE i.indrelid = c.oid AND i.indisprimary AND a.attname = 'tenant_id')
           AND c.oid::regclass::text <> 'identity.closed_tenants' AS has_tenant
    FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relnamespace::regnamespace::text = ANY ($1)`;

/** Checks of roles, grants and row-level security. */
export const rights: readonly Check[] = [
  {
    name: 'logins',
    severity: 'error',
    why: 'Its service cannot start: the login cannot connect, or is not held to its tenant.',
    sql: `SELECT format('%s is %s', r.rolname, f.fault) AS what, format('ALTER ROLE %I %s', r.rolname, f.mend) AS mend
            FROM pg_roles r,
                 LATERAL (VALUES (r.rolsuper, 'a superuser', 'NOSUPERUSER'), (r.rolbypassrls, 'free of row-level security', 'NOBYPASSRLS'),
                                 (r.rolcreaterole, 'allowed to create roles', 'NOCREATEROLE'),
                                 (r.rolreplication, 'allowed to replicate', 'NOREPLICATION'),
                                 (NOT r.rolcanlogin, 'no login', 'LOGIN'),
                                 (r.rolvaliduntil < now(), 'expired', 'VALID UNTIL ''infinity'''),
                                 (r.rolconnlimit = 0, 'allowed no connection', 'CONNECTION LIMIT -1')) AS f (applies, fault, mend)
           WHERE r.rolname = ANY ($1) AND f.applies
          UNION ALL
          SELECT format('%s is missing', login), 'npm run db -- migrate'
            FROM unnest($1::text[]) AS login WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = login)
          UNION ALL
          SELECT format('%s may not connect to the database %s', r.rolname, d.datname),
                 format('GRANT CONNECT ON DATABASE %I TO %I', d.datname, r.rolname)
            FROM unnest($1::text[]) AS login JOIN pg_roles r ON r.rolname = login, pg_database d
           WHERE d.datname = current_database() AND NOT has_database_privilege(r.oid, d.oid, 'CONNECT')`,
    args: [LOGINS],
  },
  owners,
  {
    name: 'database-owner',
    severity: 'error',
    why: 'Who migrates must own the database as well as its schema, and be a member of the roles that own the rest.',
    sql: `SELECT format('the database %s belongs to %s, and its schema to %s', d.datname, d.datdba::regrole,
                        n.nspowner::regrole) AS what,
                 CASE i.nspowner::regrole::text WHEN 'plat_identity_owner'
                      THEN format('ALTER DATABASE %I OWNER TO %s', d.datname, n.nspowner::regrole)
                      ELSE 'restore the dump again without --no-owner, which has left out the owners of all schemas' END AS mend
            FROM pg_database d, pg_namespace n JOIN pg_namespace i ON i.nspname = 'identity'
           WHERE d.datname = current_database() AND n.nspname = 'migrations' AND n.nspowner <> d.datdba
          UNION ALL
          SELECT format('%s, who owns the database, is no member of %s', d.datdba::regrole, o.oid::regrole),
                 format('GRANT %s TO %s', o.oid::regrole, d.datdba::regrole)
            FROM pg_database d, pg_roles o
           WHERE d.datname = current_database() AND o.rolname ~ '^plat_([a-z]+_owner|inspector|ledger_sealer)$'
             AND NOT pg_has_role(d.datdba, o.oid, 'MEMBER')`,
  },
  {
    name: 'table-grants',
    severity: 'error',
    why: 'A service reaches rows by functions alone; with a table of its own, one that is taken over reads it all.',
    sql: `SELECT format('%s may %s %s', coalesce(r.rolname, 'PUBLIC'), a.privilege_type, t.name) AS what,
                 format('REVOKE %s ON %s FROM %s CASCADE', a.privilege_type, t.name, coalesce(quote_ident(r.rolname), 'PUBLIC')) AS mend
            FROM (${TABLES}) AS t, aclexplode(t.relacl) AS a LEFT JOIN pg_roles r ON r.oid = a.grantee
           WHERE coalesce(r.rolname, 'PUBLIC') = ANY ($2 || ARRAY['PUBLIC'])`,
    args: [SCHEMAS, LOGINS],
  },
  {
    name: 'making-objects',
    severity: 'error',
    why: "Whoever takes a login over could make objects there that run in place of PostgreSQL's own, keep rows or fill the disk.",
    sql: `SELECT format('%s may %s in the %s %s', g.grantee, g.act, lower(g.kind), g.name) AS what,
                 format('REVOKE %s ON %s %s FROM %s', g.privilege_type, g.kind, g.name, g.grantee) AS mend
            FROM (SELECT 'DATABASE' AS kind, quote_ident(d.datname) AS name, a.privilege_type, coalesce(quote_ident(r.rolname), 'PUBLIC') AS grantee,
                         CASE a.privilege_type WHEN 'TEMPORARY' THEN 'make temporary tables' ELSE 'make schemas' END AS act
                    FROM pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) AS a LEFT JOIN pg_roles r ON r.oid = a.grantee
                   WHERE d.datname = current_database() AND a.privilege_type IN ('TEMPORARY', 'CREATE')
                  UNION ALL
                  SELECT 'SCHEMA', quote_ident(n.nspname), a.privilege_type, coalesce(quote_ident(r.rolname), 'PUBLIC'), 'make objects'
                    FROM pg_namespace n, aclexplode(n.nspacl) AS a LEFT JOIN pg_roles r ON r.oid = a.grantee
                   WHERE a.privilege_type = 'CREATE' AND n.nspname <> ALL ($1)) AS g -- see objects
           WHERE g.grantee = ANY ($2 || ARRAY['PUBLIC']) ORDER BY g.kind, g.grantee COLLATE "C"`,
    args: [SCHEMAS, LOGINS],
  },
  {
    name: 'public-functions',
    severity: 'error',
    why: "Every role that can connect may call it, with its owner's rights.",
    sql: `SELECT format('PUBLIC may call %s', p.oid::regprocedure) AS what,
                 format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', p.oid::regprocedure) AS mend
            FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a
           WHERE p.pronamespace::regnamespace::text = ANY ($1) AND a.grantee = 0`,
    args: [SCHEMAS],
  },
  {
    name: 'published-functions',
    severity: 'error',
    why: 'A schema reaches another by these functions; without its grant a request fails, with one more it is open.',
    sql: `WITH expected AS (SELECT f.key AS name, g.role FROM jsonb_each($1::jsonb) AS f,
                                   jsonb_array_elements_text(f.value) AS g (role))
          SELECT format('%s may not call %s', e.role, e.name) AS what,
                 format('GRANT EXECUTE ON FUNCTION %s TO %I', e.name, e.role) AS mend
            FROM expected e
           WHERE to_regprocedure(e.name) IS NOT NULL AND EXISTS (SELECT FROM pg_roles WHERE rolname = e.role)
             AND NOT has_function_privilege(e.role, to_regprocedure(e.name), 'EXECUTE')
          UNION ALL
          SELECT format('%s is missing', e.name), 'npm run db -- migrate'
            FROM (SELECT DISTINCT name FROM expected) AS e WHERE to_regprocedure(e.name) IS NULL`,
    args: [JSON.stringify(PUBLISHED_FUNCTIONS)],
  },
  {
    name: 'row-level-security',
    severity: 'error',
    why: "Without it, a fault in one function shows a tenant another's rows.",
    sql: `SELECT format('%s %s', t.name, f.fault) AS what, format('ALTER TABLE %s %s', t.name, f.mend) AS mend
            FROM (${TABLES}) AS t,
                 LATERAL (VALUES (NOT t.relrowsecurity, 'has no row-level security', 'ENABLE ROW LEVEL SECURITY'),
                                 (NOT t.relforcerowsecurity, 'does not hold its owner to its policies',
                                  'FORCE ROW LEVEL SECURITY')) AS f (applies, fault, mend)
           WHERE t.has_tenant AND f.applies
          UNION ALL
          SELECT format('%s has no policy named tenant that judges what is read and what is written', t.name),
                 format('DROP POLICY IF EXISTS tenant ON %1$s; CREATE POLICY tenant ON %1$s USING (%2$s) WITH CHECK (%2$s)', t.name,
                        'tenant_id = (SELECT tenancy.tenant_id())')
            FROM (${TABLES}) AS t
           WHERE t.has_tenant AND NOT t.relispartition AND t.name !~ '^(audit\\.audit_events|builds\\.builds)_' -- see interrupted-prune and partition-gaps
             AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = t.oid AND p.polname = 'tenant' AND p.polcmd = '*'
                                AND p.polqual IS NOT NULL AND p.polwithcheck IS NOT NULL)`,
    args: [SCHEMAS],
  },
  {
    name: 'proof-key',
    severity: 'error',
    why: 'The key seals the proof of each caller; without it no request is served.',
    sql: `SELECT 'identity.proof_keys has no key' AS what,
                 'INSERT INTO identity.proof_keys (key) VALUES (uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()))' AS mend
           WHERE NOT EXISTS (SELECT FROM identity.proof_keys)`,
  },
  {
    name: 'triggers',
    severity: 'error',
    why: 'Triggers judge each move and keep what is append-only; one that is off lets a wrong row pass.',
    sql: `SELECT format('the trigger %I of %s is off', g.tgname, g.tgrelid::regclass) AS what,
                 format('ALTER TABLE %s ENABLE TRIGGER %I', g.tgrelid::regclass, g.tgname) AS mend
            FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
           WHERE c.relnamespace::regnamespace::text = ANY ($1) AND g.tgenabled IN ('D', 'R')`,
    args: [SCHEMAS],
  },
];
