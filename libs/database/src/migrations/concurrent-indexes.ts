import type { Client } from 'pg';
import { withShortLocks } from '../connections/short-locks';

/** An index of a table that may already be large. */
interface WantedIndex {
  /** Without its schema. */
  name: string;
  /** Schema-qualified. */
  table: string;
  columns: string;
  where?: string;
  unique?: true;
}

/**
 * Indexes that are made CONCURRENTLY after the migrations, because a migration that makes them would block writers. An
 * index whose making failed half-way is made again. An entry is never changed, only added or removed.
 */
export const CONCURRENT_INDEXES: readonly WantedIndex[] = [];

/**
 * Makes the indexes that are missing or unusable. The client must not be in a transaction. An index of a table or columns that
 * are not there is left out: the schema then ends at an earlier migration.
 */
export async function makeConcurrentIndexes(
  client: Client,
  wanted: readonly WantedIndex[] = CONCURRENT_INDEXES,
): Promise<void> {
  for (const index of wanted) await makeIndex(client, index);
}

async function makeIndex(client: Client, index: WantedIndex): Promise<void> {
  const schema = index.table.split('.')[0]!;
  const parent = `${schema}.${index.name}`;
  if ((await isUsable(client, parent)) || !(await hasColumns(client, index))) return;
  const partitions = await partitionsOf(client, index.table);
  if (partitions === undefined) return makeConcurrently(client, { ...index, schema });
  // The parent's index is empty, and valid once every partition has its own.
  const empty = `CREATE ${kind(index)} IF NOT EXISTS ${definition(index, `ONLY ${index.table}`)}`;
  await withShortLocks(client, () => client.query(empty));
  for (const table of partitions) {
    const name = `${table.split('.')[1]!}_${index.name}`;
    await makeConcurrently(client, { ...index, name, table, schema });
    const attach = `ALTER INDEX ${parent} ATTACH PARTITION ${schema}.${name}`;
    await withShortLocks(client, () => client.query(attach));
  }
}

async function makeConcurrently(client: Client, index: WantedIndex & { schema: string }): Promise<void> {
  const name = `${index.schema}.${index.name}`;
  if (await isUsable(client, name)) return;
  await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  await client.query(`CREATE ${kind(index)} CONCURRENTLY ${definition(index, index.table)}`);
}

const kind = ({ unique }: WantedIndex): string => (unique ? 'UNIQUE INDEX' : 'INDEX');

const definition = ({ name, columns, where }: WantedIndex, on: string): string =>
  `${name} ON ${on} (${columns})${where === undefined ? '' : ` WHERE ${where}`}`;

async function isUsable(client: Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND indisvalid',
    [name],
  );
  return rowCount === 1;
}

async function hasColumns(client: Client, { table, columns }: WantedIndex): Promise<boolean> {
  const wanted = columns.split(', ');
  const { rowCount } = await client.query(
    'SELECT FROM pg_attribute WHERE attrelid = to_regclass($1) AND attname = ANY ($2) AND NOT attisdropped',
    [table, wanted],
  );
  return rowCount === wanted.length;
}

/** The partitions of a table, schema-qualified; undefined if it is not partitioned. */
async function partitionsOf(client: Client, table: string): Promise<string[] | undefined> {
  const { rows } = await client.query<{ partitioned: boolean; names: string[] }>(
    `SELECT c.relkind = 'p' AS partitioned,
            ARRAY(SELECT format('%I.%I', p.relnamespace::regnamespace, p.relname) FROM pg_inherits i
                    JOIN pg_class p ON p.oid = i.inhrelid WHERE i.inhparent = c.oid ORDER BY 1) AS names
       FROM pg_class c WHERE c.oid = $1::regclass`,
    [table],
  );
  return rows[0]!.partitioned ? rows[0]!.names : undefined;
}
