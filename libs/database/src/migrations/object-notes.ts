import type { Client } from 'pg';
import { readHistory } from './migration-history';
import { NOTED_SCHEMAS, OBJECT_FACTS, SERVER_MAJOR } from './object-facts';

/**
 * Records the objects as they are before a step that changes some of them. If an earlier run was killed between its
 * migration and its notes, the record of that run stays, so that `noteObjects` notes the objects of its migration.
 */
export async function rememberObjects(client: Client): Promise<void> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS migrations.objects (
       moment text NOT NULL CHECK (moment IN ('before', 'made')), name text NOT NULL, parent text, make text NOT NULL,
       server int, PRIMARY KEY (moment, name))`,
  );
  const newest = await readNewest(client);
  if ((await readUnnoted(client)) === newest) await forget(client);
  await client.query(
    `INSERT INTO migrations.objects (moment, name, parent, make)
     SELECT 'before', f.name, f.parent, f.make
       FROM (SELECT name, parent, make, is_partition FROM (${OBJECT_FACTS}) AS f
              UNION ALL SELECT $2, NULL, $3, false) AS f
      WHERE NOT f.is_partition AND NOT EXISTS (SELECT FROM migrations.objects WHERE moment = 'before')`,
    [NOTED_SCHEMAS, NEWEST, newest],
  );
}

/** Whether a run applied a migration and has not noted the objects: it is still running, or it was killed. */
export async function isUnnoted(client: Client): Promise<boolean> {
  const before = await readUnnoted(client);
  return before !== undefined && before !== (await readNewest(client));
}

/** A mark among the objects that `rememberObjects` recorded. */
const NEWEST = 'the newest migration';

/** The newest migration when `rememberObjects` recorded the objects; undefined if all that was recorded is noted. */
async function readUnnoted(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<{ make: string | null }>(
    `SELECT max(make) FILTER (WHERE name = $1) AS make FROM migrations.objects WHERE moment = 'before' HAVING count(*) > 0`,
    [NEWEST],
  );
  return rows[0] && (rows[0].make ?? 'unknown');
}

async function readNewest(client: Client): Promise<string> {
  return (await readHistory(client)).at(-1)?.name ?? '';
}

const forget = (client: Client) => client.query(`DELETE FROM migrations.objects WHERE moment = 'before'`);

/**
 * Notes the objects that differ from what `rememberObjects` recorded: those that the step between made, changed or
 * dropped. An object that was changed by other means keeps its note. The first run on a database notes all of them, and so does one
 * on another major version of PostgreSQL with the statements that such a version may word differently.
 */
export async function noteObjects(client: Client): Promise<void> {
  await client.query(NOTE, [NOTED_SCHEMAS]);
}

const NOTE = `
  WITH now AS MATERIALIZED (SELECT * FROM (${OBJECT_FACTS}) AS f WHERE NOT is_partition),
  before AS (DELETE FROM migrations.objects WHERE moment = 'before' RETURNING name, make),
  is_first AS (SELECT NOT EXISTS (SELECT FROM migrations.objects WHERE moment = 'made') AS yes),
  gone AS (
    DELETE FROM migrations.objects o WHERE o.moment = 'made' AND o.name IN (SELECT name FROM before)
       AND o.name NOT IN (SELECT name FROM now))
  INSERT INTO migrations.objects (moment, name, parent, make, server)
  SELECT 'made', n.name, n.parent, n.make, CASE WHEN n.printed THEN ${SERVER_MAJOR} END
    FROM now n LEFT JOIN before b ON b.name = n.name
   WHERE (SELECT yes FROM is_first) OR b.make IS DISTINCT FROM n.make
      OR EXISTS (SELECT FROM migrations.objects o WHERE o.moment = 'made' AND o.name = n.name AND o.server <> ${SERVER_MAJOR})
      ON CONFLICT (moment, name) DO UPDATE SET parent = excluded.parent, make = excluded.make, server = excluded.server`;
