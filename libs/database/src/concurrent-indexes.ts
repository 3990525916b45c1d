import type { Client } from 'pg';
import { withShortLocks } from './short-locks';

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
export const CONCURRENT_INDEXES: readonly WantedIndex[] = [
  // Reading the line of all repositories in pages (0020).
  {
    name: 'reviews_waiting',
    table: 'reviews.reviews',
    columns: 'tenant_id, target_branch, ticket',
    where: "status = 'READY'",
  },
  // Reading the builds, and the releases, of one review in pages (0020).
  {
    name: 'builds_of_review',
    table: 'builds.builds',
    columns: 'tenant_id, review_id, created_at, build_id',
    where: 'review_id IS NOT NULL',
  },
  {
    name: 'releases_of_review',
    table: 'releases.releases',
    columns: 'tenant_id, review_id, created_at, release_id',
    where: 'review_id IS NOT NULL',
  },
  // At most one held run of a review is RUNNING (0040). Rows from before are not held.
  {
    name: 'gate_runs_held',
    table: 'reviews.gate_runs',
    columns: 'tenant_id, review_id',
    where: "verdict = 'RUNNING' AND holder IS NOT NULL AND review_id IS NOT NULL",
    unique: true,
  },
  // Reading the moves of one review in pages (0052).
  { name: 'queue_moves_of_review', table: 'reviews.queue_moves', columns: 'tenant_id, review_id, version' },
  // The last move of a cause in a queue, and the steps at which gate runs ended (0080).
  {
    name: 'queue_moves_of_cause',
    table: 'reviews.queue_moves',
    columns: 'tenant_id, target_branch, repository, cause, version',
  },
  {
    name: 'gate_runs_ended_at_step',
    table: 'reviews.gate_runs',
    columns: 'tenant_id, target_branch, created_at',
    where: 'failing_step IS NOT NULL',
  },
  {
    name: 'gate_runs_passed_merge',
    table: 'reviews.gate_runs',
    columns: 'tenant_id, merge_commit',
    where: "verdict = 'PASSED'",
  },
  {
    name: 'gate_runs_passed_source',
    table: 'reviews.gate_runs',
    columns: 'tenant_id, source_commit, target_branch',
    where: "verdict = 'PASSED'",
  },
  // Figures over all tenants (0070): the moves of the last hour, and deletions that are not done.
  { name: 'queue_moves_newest', table: 'reviews.queue_moves', columns: 'created_at' },
  {
    name: 'environments_deletion',
    table: 'environments.environments',
    columns: 'status',
    where: "status IN ('deleting', 'deletion-blocked')",
  },
  // Reading the trail of one route, or of one method: either may be rare among all rows.
  {
    name: 'audit_events_path',
    table: 'audit.audit_events',
    columns: 'tenant_id, api_path, created_at, audit_event_id',
  },
  {
    name: 'audit_events_method',
    table: 'audit.audit_events',
    columns: 'tenant_id, api_method, created_at, audit_event_id',
  },
  // Pruning builds (0062): whether a release names one.
  {
    name: 'releases_of_build',
    table: 'releases.releases',
    columns: 'tenant_id, build_id',
    where: 'build_id IS NOT NULL',
  },
  // Sealing (0093): what transactions after a sealed one have written.
  { name: 'audit_events_written', table: 'audit.audit_events', columns: 'tenant_id, written_in' },
  { name: 'verifications_written', table: 'reviews.verifications', columns: 'tenant_id, written_in' },
  { name: 'later_contents_written', table: 'reviews.later_contents', columns: 'tenant_id, written_in' },
  // Reading the entries of one kind in a sealed log (0100).
  { name: 'entries_of_kind', table: 'ledger.entries', columns: 'tenant_id, kind, leaf_index' },
  // A public name is one environment's of all tenants: those of tenants `a` and `a-b` may read the same.
  {
    name: 'environments_exposed_hostname',
    table: 'environments.environments',
    columns: 'exposed_hostname',
    where: 'exposed_hostname IS NOT NULL',
    unique: true,
  },
];

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
