import type { Check } from './check';

/** Checks of the server: durability, connections, transactions. */
export const server: readonly Check[] = [
  {
    name: 'version',
    severity: 'error',
    why: 'The schema needs what PostgreSQL has since 15.',
    sql: `SELECT format('PostgreSQL %s', current_setting('server_version')) AS what, 'upgrade the server' AS mend
           WHERE current_setting('server_version_num')::int < 150000`,
  },
  {
    name: 'durability',
    severity: 'error',
    why: 'A crash of the machine loses writes that were acknowledged, or damages the files.',
    sql: `SELECT format('%s is %s', s.name, s.setting) AS what,
                 format('ALTER SYSTEM SET %s = on; SELECT pg_reload_conf()', s.name) AS mend
            FROM pg_settings s
           WHERE s.name IN ('fsync', 'full_page_writes', 'synchronous_commit') AND s.setting = 'off'
             AND s.source NOT IN ('global', 'database', 'user', 'database user') -- see session-settings`,
  },
  {
    name: 'checksums',
    severity: 'warning',
    why: 'Damage by a disk is not noticed, and is copied into every backup.',
    sql: `SELECT 'data_checksums is off' AS what, 'stop the server and run pg_checksums --enable' AS mend
           WHERE current_setting('data_checksums') = 'off'`,
  },
  {
    name: 'connections',
    severity: 'warning',
    why: 'A new replica, or one that restarts, finds no connection.',
    sql: `SELECT format('%s of %s connections are in use', count(*), current_setting('max_connections')) AS what,
                 'raise max_connections, lower DATABASE_POOL_SIZE, or put a pooler between' AS mend
            FROM pg_stat_activity WHERE backend_type = 'client backend'
          HAVING count(*) > 0.8 * current_setting('max_connections')::int`,
  },
  {
    name: 'old-transactions',
    severity: 'warning',
    why: 'It keeps dead rows alive in every table, and may hold locks.',
    sql: `SELECT format('process %s (%s, %s) has been in a transaction since %s', a.pid, a.usename, a.application_name,
                        to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) AS what,
                 format('SELECT pg_terminate_backend(%s)', a.pid) AS mend
            FROM pg_stat_activity a
           WHERE a.datname = current_database() AND a.xact_start < now() - interval '10 minutes'
             AND a.backend_type = 'client backend'
          UNION ALL
          SELECT format('the prepared transaction %s has waited since %s', x.gid, x.prepared), format('ROLLBACK PREPARED %L', x.gid)
            FROM pg_prepared_xacts x WHERE x.database = current_database() AND x.prepared < now() - interval '10 minutes'`,
  },
  {
    name: 'replication-slots',
    severity: 'warning',
    why: 'The server keeps all log since then, until its disk is full.',
    sql: `SELECT format('the replication slot %s has no reader', s.slot_name) AS what,
                 format('SELECT pg_drop_replication_slot(%L)', s.slot_name) AS mend
            FROM pg_replication_slots s WHERE NOT s.active AND NOT s.temporary`,
  },
];
