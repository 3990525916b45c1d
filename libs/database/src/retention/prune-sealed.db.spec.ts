import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import {
  createTestDatabase,
  makeOldMonths,
  monthName,
  monthsAgo,
  SealingScene,
  type TestDatabase,
  testDirectory,
  writeOldTrail,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { withOwner } from '../tenants/tenant-session';
import { pruneTrail } from './prune-trail';

const HURRIED = { waitMs: 100, pauseMs: 10, giveUpMs: 300 };
const name = (months: number): string => `audit_events_${monthName(monthsAgo(months))}`;
const NOT_SEALED = 'may not be sealed yet';

/** Rows of both tenants 4 and 3 months ago, sealed; those of 4 months ago go. */
describe('pruning months whose rows are sealed', () => {
  let database: TestDatabase;
  let scene: SealingScene;
  let folder: string;
  beforeEach(async () => {
    [database, folder] = await Promise.all([createTestDatabase(), mkdtemp(join(tmpdir(), 'plat-prune-'))]);
    scene = new SealingScene(database);
    await applyDirectory(database.ownerUrl, testDirectory('https://id.example'));
    await makeOldMonths(database, 5);
    await writeOld(4, 25);
    await writeOld(3, 3);
    await sealAll();
  }, 60_000);
  afterEach(() => Promise.all([database.drop(), rm(folder, { recursive: true, force: true })]));

  async function writeOld(months: number, rows: number): Promise<void> {
    await writeOldTrail(database, 'acme', { months, rows });
    await writeOldTrail(database, 'globex', { months, rows: 2 });
  }
  async function sealAll(): Promise<void> {
    await scene.settle();
    while ((await scene.seal()).more);
  }
  const prune = (change = (client: Client) => client, markedRows?: number): Promise<void> =>
    withOwner(database.ownerUrl, (client) =>
      pruneTrail(change(client), {
        before: monthsAgo(3).toISOString(),
        folder,
        onStep: () => undefined,
        patience: HURRIED,
        markedRows,
      }),
    );
  const states = () =>
    database.query('SELECT partition, state FROM audit.partitions() WHERE upper(covers) <= $1', [
      monthsAgo(2),
    ]);
  const rowsOf = async (months: number): Promise<number> =>
    (
      await database.query<{ rows: number }>(
        'SELECT count(*)::int AS rows FROM audit.audit_events WHERE created_at >= $1 AND created_at < $2',
        [monthsAgo(months), monthsAgo(months - 1)],
      )
    )[0]!.rows;
  /** Entries of the trail that have their fields, and that have not. */
  const entries = async (): Promise<{ shown: number; erased: number }> =>
    (
      await database.query<{ shown: number; erased: number }>(
        `SELECT count(open_salt)::int AS shown, count(*) FILTER (WHERE open_salt IS NULL AND closed_salt IS NULL)::int AS erased
           FROM ledger.entries WHERE kind = 'audit'`,
      )
    )[0]!;
  const altered = () => database.query('SELECT fault FROM ledger.altered_entries()');
  const erasures = () =>
    database.query<{ entries: number; written: string }>(
      `SELECT xmin::text AS written, (SELECT sum(upper(r) - lower(r))::int FROM unnest(entries) AS r) AS entries
         FROM ledger.erasures WHERE reason = 'retention' ORDER BY erased_at`,
    );
  /** As a writer whose clock is wrong. */
  const writeLate = () => writeOldTrail(database, 'acme', { months: 4, rows: 1 });
  const run = (work: () => Promise<void>) => (client: Client) =>
    // Before the statement that takes the month from the trail.
    Object.assign(Object.create(client) as Client, {
      query: async (...args: unknown[]) => {
        if (String(args[0]).includes(`${name(4)}" CONCURRENTLY`)) {
          await work();
        }
        return (client.query as (...given: unknown[]) => unknown).apply(client, args);
      },
    });

  it('erases the fields of the entries of its rows and of no others, and each log says which they are', async () => {
    await prune();
    expect(await rowsOf(4)).toBe(0);
    expect(await entries()).toEqual({ shown: 5, erased: 27 });
    expect(await altered()).toEqual([]);
    await sealAll();
    expect(await database.query(`SELECT FROM ledger.entries WHERE kind = 'erasure'`)).toHaveLength(2);
    expect(await database.query('SELECT FROM ledger.altered_logs()')).toEqual([]);
  });

  it('marks some entries in a transaction of its own, so that sealing waits for none for long', async () => {
    await prune(undefined, 10);
    const marked = await erasures();
    expect(marked.map(({ entries: count }) => count)).toEqual([10, 10, 5, 2]);
    // The last two are of two tenants.
    expect(new Set(marked.map(({ written }) => written)).size).toBe(3);
    expect(await altered()).toEqual([]);
  });

  it.each([
    ['a row of its time waits to be sealed', () => writeOld(4, 1)],
    [
      'a log is catching up',
      () =>
        database.query(`UPDATE ledger.logs SET rescanned_at = '-infinity', rescanned_id = gen_random_uuid()`),
    ],
    ['a log came from another cluster', () => database.query('UPDATE ledger.logs SET cluster = 1')],
    [
      'a tenant has no log yet',
      () =>
        database.query(
          'DELETE FROM ledger.logs WHERE tenant_id = (SELECT max(tenant_id::text)::uuid FROM ledger.logs)',
        ),
    ],
  ])('is refused before anything is changed if %s', async (_, spoil) => {
    await spoil();
    const was = [await states(), await rowsOf(4)];
    await expect(prune()).rejects.toThrow(NOT_SEALED);
    expect([await states(), await rowsOf(4)]).toEqual(was);
    expect((await entries()).erased).toBe(0);
  });

  it('is possible again when the row that waited is sealed', async () => {
    await writeOld(4, 1);
    await expect(prune()).rejects.toThrow(NOT_SEALED);
    await sealAll();
    await prune();
    expect(await rowsOf(4)).toBe(0);
    expect(await entries()).toEqual({ shown: 5, erased: 30 });
  });

  it('puts a month back that was detached with a row that came too late to be sealed', async () => {
    await expect(prune(run(writeLate))).rejects.toThrow('is in the trail again: 1 of its rows');
    expect(await rowsOf(4)).toBe(28);
    await sealAll();
    expect(await entries()).toEqual({ shown: 6, erased: 27 });
    await prune();
    expect(await rowsOf(4)).toBe(0);
    expect(await entries()).toEqual({ shown: 5, erased: 28 });
    expect(await altered()).toEqual([]);
  });

  it('is not done by the function that drops a month while an entry has its fields, nor marked without an export or under a hold', async () => {
    await database.query(`ALTER TABLE audit.audit_events DETACH PARTITION audit.${name(4)}`);
    const drop = () => database.query('SELECT audit.drop_partition($1)', [name(4)]);
    await expect(drop()).rejects.toThrow(
      'has 0 rows that are not sealed, and 27 whose entries still have their fields',
    );
    await database.query(
      `INSERT INTO audit.holds (covers, kept_until, reason) VALUES (tstzrange(NULL, NULL), 'infinity', 'all')`,
    );
    const mark = () => database.query('SELECT audit.mark_pruned($1, NULL, NULL, NULL, 10)', [name(4)]);
    await expect(mark()).rejects.toThrow('has not been exported');
    await database.query(`SELECT audit.record_export($1, $1, tstzrange($2, $3), 27, 7, repeat('a', 64))`, [
      name(4),
      monthsAgo(4),
      monthsAgo(3),
    ]);
    await expect(mark()).rejects.toThrow('held until the hold is taken away: all');
    expect((await entries()).erased).toBe(0);
  });
});
