import type { Client } from 'pg';
import { NOTED_SCHEMAS, OBJECT_FACTS, SERVER_MAJOR } from './object-facts';

/**
 * Records the objects as they are before migrations are applied. If a run before this one was killed, what that one
 * recorded stays, so that what it applied is noted by this one.
 */
export async function rememberObjects(client: Client): Promise<void> {
  await client.query(
    `CREATE TABLE IF NOT EXISTS migrations.objects (
       moment text NOT NULL CHECK (moment IN ('before', 'made')), name text NOT NULL, parent text, make text NOT NULL,
       server int, PRIMARY KEY (moment, name))`,
  );
  await client.query(
    `INSERT INTO migrations.objects (moment, name, parent, make)
     SELECT 'before', f.name, f.parent, f.make FROM (${OBJECT_FACTS}) AS f
      WHERE NOT f.is_partition AND NOT EXISTS (SELECT FROM migrations.objects WHERE moment = 'before')`,
    [NOTED_SCHEMAS],
  );
}

/**
 * Notes the objects that differ from what `rememberObjects` recorded: those that this run made, changed or dropped. An
 * object that was changed by other means keeps its note. The first run on a database notes all of them, and so does one
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
