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

  it('looks through a detached month in a transaction without a number, which sealing does not wait for', async () => {
    await database.query(`ALTER TABLE audit.audit_events DETACH PARTITION audit.${name(4)}`);
    await withOwner(database.ownerUrl, async (client) => {
      await client.query('SET ROLE plat_audit_owner');
      await client.query('SELECT audit.open_partition($1)', [name(4)]);
      await client.query('BEGIN');
      const found = await client.query('SELECT * FROM audit.examine_partition($1)', [name(4)]);
      expect(found.rows).toEqual([{ unsealed: '0', unmarked: '27' }]);
      const { rows } = await client.query('SELECT pg_current_xact_id_if_assigned() AS number');
      expect(rows).toEqual([{ number: null }]);
      await client.query('ROLLBACK; RESET ROLE');
    });
  });

  it('marks the entry of a row that came after the others were marked, if it was sealed before the month was detached', async () => {
    await prune(
      run(async () => {
        await writeLate();
        await sealAll();
      }),
    );
    expect(await rowsOf(4)).toBe(0);
    expect(await entries()).toEqual({ shown: 5, erased: 28 });
    expect(await altered()).toEqual([]);
  });

  it('puts it back too where a prune that ended early has made the time before the first month again', async () => {
    await writeOld(4, 1);
    await database.query(`ALTER TABLE audit.audit_events DETACH PARTITION audit.${name(5)}`);
    await database.query(`DROP TABLE audit.${name(5)}`);
    await database.query(`DROP TABLE audit.audit_events_early`);
    await database.query(`ALTER TABLE audit.audit_events DETACH PARTITION audit.${name(4)}`);
    await database.query('SELECT audit.make_early_partition()');
    await database.query('SELECT audit.attach_partition($1)', [name(4)]);
    await sealAll();
    await prune();
    expect(await entries()).toEqual({ shown: 5, erased: 30 });
  });

  it('does not excuse a row that was deleted before: its entry keeps its salt, and stays without a row', async () => {
    await database.query(
      `DELETE FROM audit.audit_events WHERE audit_event_id = (SELECT id FROM ledger.entries WHERE kind = 'audit' ORDER BY at LIMIT 1)`,
    );
    await prune();
    expect(await entries()).toEqual({ shown: 6, erased: 26 });
    expect(await altered()).toEqual([{ fault: 'its row is gone' }]);
  });
});
