import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Client } from 'pg';
import {
  createTestDatabase,
  makeOldMonths,
  monthName,
  monthsAgo,
  TEST_TENANTS,
  type TestDatabase,
  testDirectory,
  writeOldTrail,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { withOwner } from '../tenants/tenant-session';
import { dataFile } from './export-files';
import { pruneTrail, type TrailStep } from './prune-trail';

const HURRIED = { waitMs: 100, pauseMs: 10, giveUpMs: 300 };
const name = (months: number): string => `audit_events_${monthName(monthsAgo(months))}`;

/** Rows of both tenants 1, 2, 3 and 4 months ago; those of 3 and 4 months ago go. */
describe('pruning the trail', () => {
  let database: TestDatabase;
  let folder: string;
  const clients: Client[] = [];
  const before = monthsAgo(2).toISOString();
  beforeEach(async () => {
    [database, folder] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'plat-prune-'))]);
    await applyDirectory(database.ownerUrl, testDirectory('https://id.example'));
    await makeOldMonths(database, 5);
    for (const months of [1, 2, 3, 4]) {
      await writeOldTrail(database, 'acme', { months, rows: 10 * months });
      await writeOldTrail(database, 'globex', { months, rows: 3 });
    }
  }, 60_000);
  afterEach(async () => {
    await Promise.all(clients.splice(0).map((client) => client.end()));
    await Promise.all([database.drop(), rm(folder, { recursive: true, force: true })]);
  });

  async function connect(url = database.ownerUrl): Promise<Client> {
    const client = new Client({ connectionString: url });
    await client.connect();
    clients.push(client);
    return client;
  }
  const prune = async (
    change = (client: Client) => client,
    until = before,
    into = folder,
  ): Promise<TrailStep[]> => {
    const steps: TrailStep[] = [];
    const pruning = {
      before: until,
      folder: into,
      patience: HURRIED,
      onStep: (step: TrailStep) => steps.push(step),
    };
    await withOwner(database.ownerUrl, (client) => pruneTrail(change(client), pruning));
    return steps;
  };
  const partitions = async (): Promise<string[]> =>
    (await database.query<{ partition: string }>('SELECT partition FROM audit.partitions()'))
      .map(({ partition }) => partition)
      .filter(
        (partition) => partition < `audit_events_${monthName(monthsAgo(0))}` || /early/.test(partition),
      );
  const rowsOf = async (months: number): Promise<string[]> =>
    (
      await database.query<{ line: string }>(
        `SELECT to_jsonb(e)::text AS line FROM audit.${name(months)} e ORDER BY tenant_id, created_at, audit_event_id`,
      )
    ).map(({ line }) => line);
  const readExport = async (months: number): Promise<string> =>
    gunzipSync(await readFile(join(folder, dataFile(name(months))))).toString();
  const lines = (rows: string[]): string => rows.map((row) => `${row}\n`).join('');

  it('goes on where a kill left a partition half detached, or detached', async () => {
    const old = await rowsOf(4);
    const reader = await connect();
    await reader.query('BEGIN; SELECT FROM audit.audit_events LIMIT 1');
    // The reader holds the trail, so the partition stays half detached.
    await expect(prune()).rejects.toThrow('could not be detached');
    expect(
      await database.query(`SELECT state FROM audit.partitions() WHERE state <> 'attached'`),
    ).toHaveLength(1);
    await expect(prune()).rejects.toThrow(/process \d+ .* Run the command again/);
    await reader.query('COMMIT');
    await prune();
    expect(await readExport(4)).toBe(lines(old));
    expect(await partitions()).toEqual(['audit_events_early', name(2), name(1)]);
  }, 60_000);

  it('blocks neither writers nor readers while it waits for one that does not end', async () => {
    const reader = await connect();
    await reader.query('BEGIN; SELECT FROM audit.audit_events LIMIT 1');
    const waiting = withOwner(database.ownerUrl, (client) =>
      pruneTrail(client, {
        before,
        folder,
        onStep: () => undefined,
        patience: { ...HURRIED, waitMs: 2_000, giveUpMs: 1 },
      }),
    ).catch((error: unknown) => error);
    const waits = async () =>
      (
        await database.query(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%DETACH%'`,
        )
      ).length;
    while ((await waits()) === 0) await new Promise((resolve) => setImmediate(resolve));
    const other = await connect();
    await other.query(`SET lock_timeout = '200ms'`);
    await other.query('SELECT count(*) FROM audit.audit_events');
    await writeOldTrail(database, 'acme', { months: 1, rows: 1 });
    await writeOldTrail(
      { query: (sql, args) => other.query(sql, args).then(({ rows }) => rows) } as TestDatabase,
      'globex',
      { months: 0, rows: 1 },
    );
    expect(await waits()).toBe(1);
    await reader.query('COMMIT');
    expect(await waiting).toBeUndefined();
  }, 60_000);

  it('fails no writer and no reader who work meanwhile', async () => {
    let pruned = false;
    let statements = 0;
    const work = async (client: Client, statement: () => Promise<unknown>) => {
      await client.query(`SET lock_timeout = '500ms'`);
      while (!pruned) {
        await statement();
        statements += 1;
      }
    };
    const [writer, reader] = [await connect(), await connect()];
    const query = (sql: string, args?: unknown[]) =>
      writer.query(sql, args).then(({ rows }) => rows as never);
    const beside = [
      work(writer, () => writeOldTrail({ query }, 'acme', { months: 0, rows: 2 })),
      work(reader, () =>
        reader.query('SELECT count(*) FROM audit.audit_events WHERE tenant_id = $1', [
          TEST_TENANTS.acme.tenantId,
        ]),
      ),
    ];
    try {
      await prune();
    } finally {
      pruned = true;
    }
    await Promise.all(beside);
    expect(statements).toBeGreaterThan(10);
    expect(await partitions()).toEqual(['audit_events_early', name(2), name(1)]);
  }, 60_000);
});
