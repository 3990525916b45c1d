import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from 'pg';
import {
  createTestDatabase,
  cutAfter,
  makeOldMonths,
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

  it('leaves no row missing without an erasure if it is killed at each of its statements, and comes to the same end', async () => {
    for (let left = 0; ; left += 1) {
      try {
        await prune((client) => cutAfter(client, { left }), 10);
        break;
      } catch (error) {
        if (!/cut here/.test(`${String(error)} ${String((error as Error).cause)}`)) throw error;
      }
      expect(await altered()).toEqual([]);
    }
    expect(await rowsOf(4)).toBe(0);
    expect(await entries()).toEqual({ shown: 5, erased: 27 });
    expect(await altered()).toEqual([]);
  }, 240_000);
});
