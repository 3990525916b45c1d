import { LOGIN_ROLES, LOGIN_SETTINGS, QUIET_SETTING } from '@plat/database';
import type { Check } from './check';

/** Settings with which a session of a service breaks a promise. A boolean may be written in any way that PostgreSQL takes. */
const HARMFUL = [
  'session_replication_role=replica',
  'synchronous_commit=(off|false|no|0)',
  'default_transaction_read_only=(on|t(r(ue?)?)?|y(es?)?|1)',
  'row_security=(off?|f(a(l(se?)?)?)?|no?|0)',
];

/** The settings that the sessions of the services get from roles and from this database. A login chooses names for its own. */
const SETTINGS = `
  SELECT r.rolname, w.who, c.setting, n.name, q.quoted, s.setdatabase = 0 AS is_everywhere,
         c.setting ~* '^(${HARMFUL.join('|')})$' AS is_harmful
    FROM pg_db_role_setting s LEFT JOIN pg_roles r ON r.oid = s.setrole LEFT JOIN pg_database d ON d.oid = s.setdatabase,
         unnest(s.setconfig) AS c (setting), split_part(c.setting, '=', 1) AS n (name),
         LATERAL (SELECT string_agg(quote_ident(p.part), '.' ORDER BY p.at)
                    FROM string_to_table(n.name, '.') WITH ORDINALITY AS p (part, at)) AS q (quoted),
         LATERAL (SELECT CASE WHEN s.setrole = 0 AND s.setdatabase <> 0 THEN 'DATABASE ' || quote_ident(d.datname)
                              ELSE 'ROLE ' || coalesce(quote_ident(r.rolname), 'ALL')
                                   || coalesce(' IN DATABASE ' || quote_ident(d.datname), '') END) AS w (who)
   WHERE (s.setrole = 0 OR r.rolname = ANY ($1)) AND (s.setdatabase = 0 OR d.datname = current_database())`;

/** Checks of what roles and the database set for sessions. */
export const settings: readonly Check[] = [
  {
    name: 'session-settings',
    severity: 'error',
    why: "Sessions of the services have it: triggers and foreign keys are off as on a replica, writes that were acknowledged are lost, nothing can be written, or no tenant's rows can be read.",
    sql: `SELECT format('%s has %s', s.who, s.setting) AS what,
                 -- A session that the setting has made read-only must be able to run it too.
                 format(CASE WHEN s.name ~* '^default_' THEN 'BEGIN READ WRITE; ALTER %s RESET %s; COMMIT' ELSE 'ALTER %s RESET %s' END,
                        s.who, s.quoted) AS mend
            FROM (${SETTINGS}) AS s WHERE s.is_harmful`,
    args: [Object.values(LOGIN_ROLES)],
  },
  {
    name: 'login-settings',
    severity: 'warning',
    why: 'The four settings of a login end its statements in time. Whoever held its password may have set another, which a change of the password resets.',
    sql: `WITH settings AS (${SETTINGS}), own AS (SELECT e.key AS name, e.value FROM jsonb_each_text($2) AS e)
          SELECT format('ROLE %I has %s', r.rolname, coalesce(s.setting, 'no ' || o.name)) AS what,
                 format('ALTER ROLE %I SET %s TO %L', r.rolname, o.name, o.value) AS mend, 'error' AS severity
            FROM pg_roles r CROSS JOIN own o
            LEFT JOIN settings s ON s.rolname = r.rolname AND s.is_everywhere AND s.name = o.name
           WHERE r.rolname = ANY ($1) AND s.setting IS DISTINCT FROM o.name || '=' || o.value
          UNION ALL
          SELECT format('%s has %s', s.who, s.setting), format('ALTER %s RESET %s', s.who, s.quoted),
                 CASE WHEN s.name IN (SELECT name FROM own) THEN 'error' ELSE 'warning' END
            FROM settings s
           WHERE s.rolname IS NOT NULL AND NOT s.is_harmful
             AND NOT (s.is_everywhere AND (s.name = $3 OR s.name IN (SELECT name FROM own)))`,
    args: [Object.values(LOGIN_ROLES), JSON.stringify(LOGIN_SETTINGS), QUIET_SETTING],
  },
];
