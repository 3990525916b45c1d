/** The schemas whose objects are noted. A test compares them with those that the migrations make. */
export const NOTED_SCHEMAS = [
  'tenancy',
  'identity',
  'environments',
  'reviews',
  'builds',
  'releases',
  'audit',
  'ledger',
  'figures',
];

/** The owner of the database has no name in a statement, because a copy may have another one. */
const role = (oid: string): string =>
  `CASE ${oid} WHEN 0 THEN 'PUBLIC' WHEN (SELECT nspowner FROM pg_namespace WHERE nspname = 'migrations') THEN 'CURRENT_USER'
        ELSE ${oid}::regrole::text END`;

const grants = (from: string): string => `
  SELECT format('%s on %s for %s', g.privilege, g.object, g.grantee), g.parent,
         format('GRANT %s ON %s TO %s%s', g.privilege, g.object, g.grantee,
                CASE WHEN bool_or(g.is_grantable) THEN ' WITH GRANT OPTION' ELSE '' END),
         format('REVOKE %s ON %s FROM %s CASCADE', g.privilege, g.object, g.grantee), false, g.is_partition
    FROM (${from}) AS g GROUP BY g.privilege, g.object, g.grantee, g.parent, g.is_partition`;

const SCHEMA_GRANTS = grants(`
  SELECT a.privilege_type AS privilege, 'SCHEMA ' || s.name AS object, 'the schema ' || s.name AS parent,
         ${role('a.grantee')} AS grantee, a.is_grantable, false AS is_partition
    FROM schemas s, aclexplode(s.acl) AS a WHERE a.grantee <> s.owner`);

const TABLE_GRANTS = grants(`
  SELECT a.privilege_type AS privilege, t.name AS object, 'the table ' || t.name AS parent,
         ${role('a.grantee')} AS grantee, a.is_grantable, t.is_partition
    FROM tables t, aclexplode(t.acl) AS a WHERE a.grantee <> t.owner
  UNION ALL
  SELECT format('%s (%I)', a.privilege_type, c.attname), t.name, format('the column %s.%I', t.name, c.attname),
         ${role('a.grantee')}, a.is_grantable, t.is_partition
    FROM tables t JOIN pg_attribute c ON c.attrelid = t.oid, aclexplode(c.attacl) AS a
   WHERE a.grantee <> t.owner AND NOT c.attisdropped`);

const POLICY = `format('CREATE POLICY %I ON %s AS %s FOR %s TO %s', p.polname, t.name,
    CASE WHEN p.polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
    CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE' WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
    (SELECT string_agg(r.name, ', ' ORDER BY r.name COLLATE "C")
       FROM unnest(p.polroles) AS m (oid), LATERAL (SELECT ${role('m.oid')}) AS r (name)))
  || coalesce(' USING (' || pg_get_expr(p.polqual, p.polrelid) || ')', '')
  || coalesce(' WITH CHECK (' || pg_get_expr(p.polwithcheck, p.polrelid) || ')', '')`;

/**
 * Describes each object on which isolation and correctness rest. Columns: `name`; `parent`, the object without which it
 * cannot be; `make`, the statement that makes or sets it, empty if none brings its rows back; `undo`, the statement that
 * removes it, null if it is a state that is set; `printed`, whether another major version of PostgreSQL may word `make`
 * differently; `is_partition`, whether it belongs to a partition of a month, which comes and goes.
 *
 * The session's search_path must be that of `settleSession`.
 */
export const OBJECT_FACTS = `
  WITH schemas AS (
    SELECT n.oid, quote_ident(n.nspname) AS name, n.nspowner AS owner, n.nspacl AS acl
      FROM pg_namespace n WHERE n.nspname = ANY ($1)),
  tables AS (
    SELECT c.oid, c.oid::regclass::text AS name, s.name AS schema, c.relowner AS owner, c.relacl AS acl, p.oid::regclass::text AS above, c.relpersistence,
           c.relrowsecurity AS is_secured, c.relforcerowsecurity AS is_forced, p.oid IS NOT NULL AS is_partition
      FROM pg_class c JOIN schemas s ON s.oid = c.relnamespace
      -- A partition that is being pruned is detached.
      LEFT JOIN pg_class p ON p.relnamespace = c.relnamespace AND p.relkind = 'p'
                          AND c.relname ~ ('^' || p.relname || '_([0-9]{4}_[0-9]{2}|early)$')
     WHERE c.relkind IN ('r', 'p', 'v', 'm')),
  lasting AS (SELECT * FROM tables WHERE NOT is_partition),
  triggers AS (
    SELECT g.oid, g.tgname, g.tgenabled, t.name AS table_name, t.is_partition, format('the trigger %I of %s', g.tgname, t.name) AS name
      FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid WHERE NOT g.tgisinternal AND g.tgparentid = 0)
  SELECT 'the schema ' || name AS name, NULL AS parent, '' AS make, NULL AS undo, false AS printed, false AS is_partition FROM schemas
  UNION ALL
  SELECT 'the owner of the schema ' || name, 'the schema ' || name,
         format('ALTER SCHEMA %s OWNER TO %s', name, ${role('owner')}), NULL, false, false FROM schemas
  UNION ALL ${SCHEMA_GRANTS}
  UNION ALL
  SELECT 'the table ' || name, 'the schema ' || schema, '', NULL, false, false FROM lasting
  UNION ALL
  SELECT 'the owner of ' || name, 'the table ' || name, format('ALTER TABLE %s OWNER TO %s', name, ${role('owner')}), NULL, false, false
    FROM lasting
  UNION ALL
  SELECT 'the owner of ' || name, 'the owner of ' || above, format('ALTER TABLE %s OWNER TO %s', name, ${role('owner')}), NULL, false, true
    FROM tables WHERE is_partition
  UNION ALL
  SELECT 'row-level security of ' || name, 'the table ' || name, format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', name),
         format('ALTER TABLE %s DISABLE ROW LEVEL SECURITY', name), false, false FROM lasting WHERE is_secured
  UNION ALL
  SELECT 'row-level security for the owner of ' || name, 'the table ' || name, format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', name),
         format('ALTER TABLE %s NO FORCE ROW LEVEL SECURITY', name), false, false FROM lasting WHERE is_forced
  UNION ALL
  SELECT 'UNLOGGED of ' || name, 'the table ' || name, format('ALTER TABLE %s SET UNLOGGED', name),
         format('ALTER TABLE %s SET LOGGED', name), false, is_partition FROM tables WHERE relpersistence = 'u'
  UNION ALL ${TABLE_GRANTS}
  UNION ALL
  SELECT format('the column %s.%I', t.name, c.attname), 'the table ' || t.name, '', NULL, false, false
    FROM lasting t JOIN pg_attribute c ON c.attrelid = t.oid WHERE c.attnum > 0 AND NOT c.attisdropped
  UNION ALL
  SELECT format('NOT NULL of %s.%I', t.name, c.attname), format('the column %s.%I', t.name, c.attname),
         format('ALTER TABLE %s ALTER %I SET NOT NULL', t.name, c.attname),
         format('ALTER TABLE %s ALTER %I DROP NOT NULL', t.name, c.attname), false, false
    FROM lasting t JOIN pg_attribute c ON c.attrelid = t.oid WHERE c.attnum > 0 AND c.attnotnull AND NOT c.attisdropped
  UNION ALL
  SELECT format('the default of %s.%I', t.name, c.attname), format('the column %s.%I', t.name, c.attname),
         format('ALTER TABLE %s ALTER %I SET DEFAULT %s', t.name, c.attname, pg_get_expr(d.adbin, d.adrelid)),
         format('ALTER TABLE %s ALTER %I DROP DEFAULT', t.name, c.attname), true, false
    FROM lasting t JOIN pg_attribute c ON c.attrelid = t.oid JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = c.attnum
   WHERE c.attgenerated = '' AND NOT c.attisdropped
  UNION ALL
  SELECT format('the rule %I of %s', r.rulename, t.name), 'the table ' || t.name, rtrim(pg_get_ruledef(r.oid), ';'),
         format('DROP RULE %I ON %s', r.rulename, t.name), true, t.is_partition
    FROM tables t JOIN pg_rewrite r ON r.ev_class = t.oid WHERE r.rulename <> '_RETURN'
  UNION ALL
  SELECT format('the policy %I of %s', p.polname, t.name), 'the table ' || t.name, ${POLICY},
         format('DROP POLICY %I ON %s', p.polname, t.name), true, t.is_partition
    FROM tables t JOIN pg_policy p ON p.polrelid = t.oid
  UNION ALL
  SELECT name, 'the table ' || table_name, pg_get_triggerdef(oid), format('DROP TRIGGER %I ON %s', tgname, table_name), true, is_partition
    FROM triggers
  UNION ALL
  SELECT 'the state of ' || name, name,
         format('ALTER TABLE %s %s TRIGGER %I', table_name,
                CASE tgenabled WHEN 'O' THEN 'ENABLE' WHEN 'D' THEN 'DISABLE' WHEN 'R' THEN 'ENABLE REPLICA' ELSE 'ENABLE ALWAYS' END,
                tgname), NULL, false, is_partition
    FROM triggers
  UNION ALL
  SELECT format('the constraint %I of %s', c.conname, t.name), 'the table ' || t.name,
         format('ALTER TABLE %s ADD CONSTRAINT %I %s', t.name, c.conname, pg_get_constraintdef(c.oid)),
         format('ALTER TABLE %s DROP CONSTRAINT %I', t.name, c.conname), true, false
    FROM lasting t JOIN pg_constraint c ON c.conrelid = t.oid WHERE c.contype IN ('c', 'f', 'p', 'u', 'x') AND c.conparentid = 0
  UNION ALL
  SELECT 'the unique index ' || i.indexrelid::regclass, 'the table ' || t.name, pg_get_indexdef(i.indexrelid),
         format('DROP INDEX %s', i.indexrelid::regclass), true, false
    FROM lasting t JOIN pg_index i ON i.indrelid = t.oid
   WHERE i.indisunique AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = i.indexrelid)`;

/** The major version of the server that runs a statement. */
export const SERVER_MAJOR = `current_setting('server_version_num')::int / 10000`;
