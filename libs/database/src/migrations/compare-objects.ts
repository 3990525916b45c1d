import { Client } from 'pg';
import { settleNames } from '../connections/settle-session';
import { NOTED_SCHEMAS, OBJECT_FACTS, SERVER_MAJOR } from './object-facts';
import { isUnnoted } from './object-notes';

/** An object that is not as a migrate noted it. */
export interface ObjectDifference {
  name: string;
  change: 'missing' | 'altered' | 'additional';
  /** The statements that restore it, for the owner of the database; undefined if only a backup has its rows. */
  mend: string | undefined;
}

export interface ObjectDifferences {
  /** `unended` after a migration that is not noted yet: a migrate runs, or was killed. Nothing is compared without notes. */
  notes: 'present' | 'absent' | 'unended';
  /** Objects whose statement another major version of PostgreSQL has worded, so that only their presence is compared. */
  uncompared: number;
  differences: ObjectDifference[];
}

/** Compares tables, policies, triggers, constraints, owners and grants with what the last migrate noted of them. */
export async function compareObjects(ownerUrl: string): Promise<ObjectDifferences> {
  const client = new Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await settleNames(client);
    const notes = await findNotes(client);
    if (notes !== 'present') return { notes, uncompared: 0, differences: [] };
    const { rows } = await client.query<Row>(COMPARE, [NOTED_SCHEMAS]);
    const uncompared = rows.filter(({ isForeign }) => isForeign).length;
    return { notes, uncompared, differences: findDifferences(rows) };
  } finally {
    await client.end();
  }
}

async function findNotes(client: Client): Promise<ObjectDifferences['notes']> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('migrations.objects') IS NOT NULL AS there`,
  );
  if (!found[0]!.there) return 'absent';
  if (await isUnnoted(client)) return 'unended';
  const { rowCount } = await client.query(`SELECT FROM migrations.objects WHERE moment = 'made' LIMIT 1`);
  return rowCount === 1 ? 'present' : 'absent';
}

interface Row {
  name: string;
  parent: string | null;
  /** Null if it was not noted. */
  noted: string | null;
  /** Null if it is not there. */
  found: string | null;
  undo: string | null;
  isForeign: boolean;
}

/**
 * A partition, which has no notes, must have the owner that was noted of its parent. The order is one in which the mends can
 * be run: who gets a table must own its schema first, and a foreign key needs the key that it refers to.
 */
const COMPARE = `
  WITH made AS (SELECT * FROM migrations.objects WHERE moment = 'made')
  SELECT coalesce(o.name, f.name) AS name, coalesce(o.parent, f.parent) AS parent, f.make AS found, f.undo,
         CASE WHEN f.is_partition AND f.name LIKE 'the owner of %'
              THEN split_part(f.make, ' OWNER TO ', 1) || ' OWNER TO ' || split_part(p.make, ' OWNER TO ', 2)
              ELSE o.make END AS noted,
         coalesce(o.server <> ${SERVER_MAJOR}, false) AS "isForeign"
    FROM made o FULL JOIN (${OBJECT_FACTS}) AS f ON f.name = o.name LEFT JOIN made p ON p.name = f.parent
   ORDER BY coalesce(o.name, f.name) NOT LIKE 'the owner of the schema %', coalesce(o.name, f.name) NOT LIKE 'the owner of %',
            coalesce(o.make, f.make) LIKE '%FOREIGN KEY%', 1`;

/** Leaves out what follows from the object above it, such as the grants of a table that is missing. */
function findDifferences(rows: readonly Row[]): ObjectDifference[] {
  const compared = rows.map((row) => ({ row, change: changeOf(row) }));
  const changes = new Map(compared.map(({ row, change }) => [row.name, change]));
  return compared.flatMap(({ row, change }) => {
    if (change === undefined) return [];
    const above = changes.get(row.parent ?? '');
    if (above === 'missing' || above === 'additional') return [];
    // A table or a column of the operator's own, which no promise rests on.
    if (change === 'additional' && row.undo === null) return [];
    return [{ name: row.name, change, mend: mendOf(row) }];
  });
}

function changeOf({ name, noted, found, isForeign }: Row): ObjectDifference['change'] | undefined {
  if (found === null) return 'missing';
  if (noted === null) return 'additional';
  // A migrate that was killed after it validated a constraint has not noted that.
  const texts = [noted, noted.replace(/ NOT VALID$/, '')].map((text) => comparable(name, text));
  return isForeign || texts.includes(comparable(name, found)) ? undefined : 'altered';
}

/** PostgreSQL may print a constraint with other brackets once it has read its own text from a dump. */
const comparable = (name: string, make: string): string =>
  name.startsWith('the constraint ') ? make.replaceAll(/[()\s]/g, '') : make;

function mendOf({ name, noted, found, undo }: Row): string | undefined {
  if (noted === null) return undo ?? undefined;
  if (noted === '') return undefined;
  const before = found === null ? freeName(name) : undo;
  return before === null ? noted : `BEGIN; ${before}; ${noted}; COMMIT`;
}

/** Removes what took the name of a missing object: an index that is not unique, or a policy that another mend has made. */
function freeName(name: string): string | null {
  const [, kind, rest] = /^the (unique index|policy) (.*)$/.exec(name) ?? [];
  if (kind === 'policy') return `DROP POLICY IF EXISTS ${rest!.replace(' of ', ' ON ')}`;
  return kind === undefined ? null : `DROP INDEX IF EXISTS ${rest}`;
}
