import { type Check, SCHEMAS } from './check';

/** Months of partitions ahead below which an operator should look, and below which writing soon fails. */
const MONTHS_AHEAD = { warning: 6, error: 2 };

/** Partitions by table and month, as tenancy.make_partitions names them. */
const PARTITIONS = `
  SELECT p.oid AS parent, p.oid::regclass::text AS table_name,
         to_date(right(c.relname, 7), 'YYYY_MM') AS month
    FROM pg_class p JOIN pg_inherits i ON i.inhparent = p.oid JOIN pg_class c ON c.oid = i.inhrelid
   WHERE p.relkind = 'p' AND p.relnamespace::regnamespace::text = ANY ($1) AND c.relname ~ '_[0-9]{4}_[0-9]{2}$'`;

/** A detached table that has the name of a month's partition, so that no other one can be made. */
const NAMESAKE = `
  SELECT FROM pg_class c
   WHERE format('%s.%s', c.relnamespace::regnamespace, c.relname) = t.table_name || to_char(month, '_YYYY_MM')`;

/** Attaches it again. The bounds of a table by ids are those of tenancy.make_partitions, which the owner may ask for. */
const ATTACH = `
  format('DO $$ BEGIN EXECUTE format(''ALTER TABLE %1$s ATTACH PARTITION %1$s%2$s FOR VALUES FROM (%%L) TO (%%L)'', %3$s); END $$',
         t.table_name, to_char(month, '_YYYY_MM'),
         (SELECT string_agg(format(CASE t.table_name WHEN 'builds.builds' THEN 'tenancy.first_id(%L)' ELSE '%L' END,
                                   to_char(bound, 'YYYY-MM-DD HH24:MI:SS"+00"')), ', ' ORDER BY bound)
            FROM unnest(ARRAY[month::timestamp, month::timestamp + interval '1 month']) AS b (bound)))`;

/** The first id of the first month of builds, and the state of the table for what is older. */
const EARLY_BUILDS = `
  SELECT min(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'FROM \\(''([^'']+)''\\) TO')) AS first_id,
         bool_or(c.relname = 'builds_early' AND i.inhrelid IS NOT NULL) AS is_attached,
         bool_or(c.relname = 'builds_early' AND i.inhrelid IS NULL) AS is_detached
    FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
   WHERE c.relnamespace = to_regnamespace('builds') AND c.relname ~ '^builds_([0-9]{4}_[0-9]{2}|early)$'`;

/** Makes that table in the way in which tenancy.make_partitions makes a month's. */
const MAKE_EARLY_BUILDS = `
  'CREATE TABLE builds.builds_early (LIKE builds.builds INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE); '
  || 'ALTER TABLE builds.builds_early OWNER TO plat_builds_owner; CALL tenancy.lock_partition(''builds.builds_early''); '`;

const THIS_MONTH = `date_trunc('month', now() AT TIME ZONE 'UTC')::date`;

/** Checks of storage: partitions, indexes, dead rows, transaction ids. */
export const storage: readonly Check[] = [
  {
    name: 'partitions-ahead',
    severity: 'warning',
    why: 'A row of a month without a partition is refused, and with it the request.',
    sql: `SELECT format('%s has partitions up to %s only', table_name, to_char(max(month), 'YYYY-MM')) AS what,
                 format('SELECT %s.make_partitions()', split_part(table_name, '.', 1)) AS mend,
                 CASE WHEN max(month) < ${THIS_MONTH} + make_interval(months => $3) THEN 'error' ELSE 'warning' END AS severity
            FROM (${PARTITIONS}) AS p GROUP BY table_name
          HAVING max(month) < ${THIS_MONTH} + make_interval(months => $2)`,
    args: [SCHEMAS, MONTHS_AHEAD.warning, MONTHS_AHEAD.error],
  },
  {
    name: 'partition-gaps',
    severity: 'error',
    why: 'A row of that month is refused, or waits in a default partition that then blocks its month.',
    sql: `SELECT format('%s has no partition for %s', t.table_name, to_char(month, 'YYYY-MM')) AS what,
                 CASE WHEN EXISTS (${NAMESAKE}) THEN ${ATTACH}
                      ELSE format('CALL tenancy.make_partitions(%L, %L, 1)', t.table_name, month::date) END AS mend
            FROM (SELECT table_name, min(month) AS first, max(month) AS last FROM (${PARTITIONS}) AS p GROUP BY 1) AS t,
                 generate_series(t.first, t.last, interval '1 month') AS month
           WHERE NOT EXISTS (SELECT FROM (${PARTITIONS}) AS p WHERE p.table_name = t.table_name AND p.month = month.month::date)`,
    args: [SCHEMAS],
  },
  {
    name: 'interrupted-prune',
    severity: 'warning',
    why: 'No route shows its rows, and they are not dropped yet: an interrupted prune goes on when it is run again.',
    sql: `SELECT format('audit.%I is %s', c.relname, CASE WHEN i.inhrelid IS NULL THEN 'detached' ELSE 'half detached' END) AS what,
                 'npm run db -- prune, with the options of the last run' AS mend
            FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
           WHERE c.relnamespace = to_regnamespace('audit') AND c.relkind = 'r' AND c.relname ~ '^audit_events_'
             AND (i.inhrelid IS NULL OR i.inhdetachpending)`,
  },
  {
    name: 'early-partitions',
    severity: 'warning',
    why: 'Rows of the time before the first month are refused: those of a tenant that moves here, or of a wrong clock.',
    sql: `SELECT 'audit.audit_events has no partition for the time before its first month' AS what,
                 'SET ROLE plat_audit_owner; SELECT audit.make_early_partition(); RESET ROLE' AS mend, 'warning' AS severity
           WHERE EXISTS (SELECT FROM pg_class WHERE relname = 'audit_events' AND relkind = 'p')
             AND NOT EXISTS (SELECT FROM pg_class WHERE relname = 'audit_events_early') -- see interrupted-prune
          UNION ALL
          SELECT 'builds.builds has no partition for the time before its first month'
                 || CASE WHEN b.is_detached THEN ', and builds.builds_early is detached' ELSE '' END,
                 format('BEGIN; %sALTER TABLE builds.builds ATTACH PARTITION builds.builds_early FOR VALUES FROM (MINVALUE) TO (%L); COMMIT',
                        CASE WHEN NOT b.is_detached THEN ${MAKE_EARLY_BUILDS} END, b.first_id),
                 CASE WHEN b.is_detached THEN 'error' ELSE 'warning' END
            FROM (${EARLY_BUILDS}) AS b WHERE b.first_id IS NOT NULL AND NOT b.is_attached`,
  },
  {
    name: 'default-partitions',
    severity: 'warning',
    why: 'The partition of their month cannot be attached, and none can be detached without stopping writers.',
    sql: `SELECT format('%s has rows', c.oid::regclass) AS what,
                 'move them to the partition of their month; npm run db -- migrate makes it' AS mend
            FROM pg_class c JOIN pg_stat_all_tables s ON s.relid = c.oid
           WHERE c.relispartition AND pg_get_expr(c.relpartbound, c.oid) = 'DEFAULT' AND s.n_live_tup > 0
             AND c.relnamespace::regnamespace::text = ANY ($1)`,
    args: [SCHEMAS],
  },
  {
    name: 'indexes',
    severity: 'error',
    why: 'An index whose making was interrupted costs each write and serves no read.',
    sql: `SELECT format('%s is not valid', i.indexrelid::regclass) AS what,
                 format('DROP INDEX CONCURRENTLY %s, then npm run db -- migrate', i.indexrelid::regclass) AS mend
            FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
           WHERE c.relnamespace::regnamespace::text = ANY ($1) AND NOT (i.indisvalid AND i.indisready)`,
    args: [SCHEMAS],
  },
  {
    name: 'dead-rows',
    severity: 'warning',
    why: 'The table grows and its statements slow down: autovacuum does not keep up, or an old transaction holds it.',
    sql: `SELECT format('%s has %s dead rows and %s live ones', s.relid::regclass, s.n_dead_tup, s.n_live_tup) AS what,
                 format('VACUUM (ANALYZE) %s', s.relid::regclass) AS mend
            FROM pg_stat_user_tables s
           WHERE s.schemaname = ANY ($1) AND s.n_dead_tup > 100000 AND s.n_dead_tup > s.n_live_tup / 5`,
    args: [SCHEMAS],
  },
  {
    name: 'transaction-ids',
    severity: 'warning',
    why: 'PostgreSQL stops writing before the ids run out, at two billion.',
    sql: `SELECT format('%s has not been frozen for %s transactions', d.datname, age(d.datfrozenxid)) AS what,
                 'VACUUM (FREEZE), and look for old transactions and replication slots' AS mend,
                 CASE WHEN age(d.datfrozenxid) > 1600000000 THEN 'error' ELSE 'warning' END AS severity
            FROM pg_database d WHERE d.datname = current_database() AND age(d.datfrozenxid) > 1000000000`,
  },
];
