import { isDeepStrictEqual } from 'node:util';
import { Client } from 'pg';

/**
 * Columns, constraints, indexes, policies, grants and owners of everything in the schemas of plat. Constraints are compared
 * without brackets, because PostgreSQL brackets a chain of ORs otherwise when it has read its own text.
 */
const CATALOGUE = `
  SELECT 'relation ' || c.oid::regclass AS thing, concat_ws(' ', pg_get_userbyid(c.relowner), c.relkind, c.relrowsecurity,
         c.relforcerowsecurity,
         ARRAY(SELECT unnest(coalesce(c.relacl, acldefault(CASE c.relkind WHEN 'S' THEN 's'::"char" ELSE 'r' END, c.relowner)))::text ORDER BY 1), pg_get_expr(c.relpartbound, c.oid),
         CASE WHEN c.relkind IN ('i', 'I') THEN pg_get_indexdef(c.oid) END) AS facts
    FROM pg_class c WHERE c.relnamespace IN (SELECT oid FROM house)
  UNION ALL SELECT format('column %s.%s', a.attrelid::regclass, a.attname),
         concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull,
         ARRAY(SELECT unnest(a.attacl)::text ORDER BY 1))
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
   WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relnamespace IN (SELECT oid FROM house)
  UNION ALL SELECT format('constraint %s.%s', conrelid::regclass, conname), concat_ws(' ', regexp_replace(pg_get_constraintdef(oid), '[()\\s]', '', 'g'), convalidated)
    FROM pg_constraint WHERE connamespace IN (SELECT oid FROM house) AND conparentid = 0
  UNION ALL SELECT format('policy %s.%s', polrelid::regclass, polname), concat_ws(' ', polcmd, polroles::regrole[],
         pg_get_expr(polqual, polrelid), pg_get_expr(polwithcheck, polrelid)) FROM pg_policy
  UNION ALL SELECT 'function ' || oid::regprocedure, concat_ws(' ', pg_get_userbyid(proowner), ARRAY(SELECT unnest(coalesce(proacl, acldefault('f', proowner)))::text ORDER BY 1),
         md5(CASE WHEN prokind IN ('f', 'p') THEN pg_get_functiondef(oid) END))
    FROM pg_proc WHERE pronamespace IN (SELECT oid FROM house)
  UNION ALL SELECT 'trigger ' || tgrelid::regclass || tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'schema ' || nspname, concat_ws(' ', pg_get_userbyid(nspowner), ARRAY(SELECT unnest(coalesce(nspacl, acldefault('n', nspowner)))::text ORDER BY 1)) FROM house
  UNION ALL SELECT 'role ' || rolname, concat_ws(' ', rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication,
         rolbypassrls, rolconfig, ARRAY(SELECT roleid::regrole::text FROM pg_auth_members WHERE member = r.oid ORDER BY 1))
    FROM pg_roles r WHERE rolname LIKE 'plat\\_%'
  ORDER BY 1`;
const HOUSE = `WITH house AS (SELECT * FROM pg_namespace WHERE nspname NOT LIKE 'pg\\_%' AND nspname NOT IN ('public', 'information_schema'))`;

/** Runs a statement on a connection of its own. */
export async function ask(url: string, sql: string): Promise<Record<string, string>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client
    .query<Record<string, string>>(sql)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}

const UNSEALED = `
  SELECT 1 FROM audit.audit_events e JOIN ledger.logs l USING (tenant_id)
   WHERE l.note_size IS DISTINCT FROM l.size
      OR NOT EXISTS (SELECT FROM ledger.entries x
                      WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit' AND x.id = e.audit_event_id)
   LIMIT 1`;

/** Asks until each row of the trail is sealed and signed, so that no service writes by itself any more. */
export async function untilSealed(url: string): Promise<void> {
  while ((await ask(url, UNSEALED)).length > 0) await ask(url, 'SELECT pg_sleep(0.5)');
}

/** Reads what a restored database must have alike: every object with its rights, and a digest of every table's rows. */
export async function portrait(url: string): Promise<Record<string, string>> {
  const things = await ask(url, `${HOUSE} ${CATALOGUE}`);
  const tables = await ask(
    url,
    `${HOUSE} SELECT c.oid::regclass::text AS name FROM pg_class c
      WHERE relkind = 'r' AND relnamespace IN (SELECT oid FROM house) ORDER BY 1`,
  );
  const portrayed = Object.fromEntries(things.map(({ thing, facts }) => [thing!, facts!]));
  for (const { name } of tables) {
    const [sums] = await ask(
      url,
      `SELECT count(*) || ' rows, ' || coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text)), '') AS facts FROM ${name} t`,
    );
    portrayed[`rows of ${name}`] = sums!.facts!;
  }
  return portrayed;
}

/**
 * A moment at which nothing was written, with the portrait of that moment: the log is sealed in its own time, also between
 * a portrait and the look at the clock.
 */
export async function portraitOfMoment(url: string) {
  for (let last = await portrait(url); ;) {
    const [{ moment } = {}] = await ask(url, 'SELECT clock_timestamp()::text AS moment');
    const next = await portrait(url);
    if (isDeepStrictEqual(last, next)) return { moment: moment!, atMoment: next };
    last = next;
  }
}
