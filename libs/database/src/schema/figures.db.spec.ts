import { randomUUID } from 'node:crypto';
import { newId } from '@plat/contracts/core';
import {
  createTestDatabase,
  proveScope,
  TEST_TENANTS,
  TEST_USERS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { Database } from '../transactions/database';
import type { TenantScope } from '../transactions/scope';

const COMMIT = 'd'.repeat(40);

let database: TestDatabase;
let reviews: Database;
let builds: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('http://127.0.0.1:4000'));
  const connect = (role: string): Promise<Database> =>
    Database.connect({
      url: database.url(role),
      applicationName: 'figures',
      poolSizeMax: 2,
      preparedStatements: true,
    });
  [reviews, builds] = [await connect('plat_reviews'), await connect('plat_builds')];
});
afterAll(async () => {
  await Promise.all([reviews.close(), builds.close()]);
  await database.drop();
});

const figures = async (name: string): Promise<Record<string, number>[]> =>
  reviews.run({ name, text: `SELECT * FROM figures.${name}()`, values: [] });

/** A review with a green build: at MERGE if its queue was idle, else READY. */
async function green(scope: TenantScope, target: string): Promise<string> {
  const args = [randomUUID(), scope.userId, randomUUID(), 'https://git.example/app', randomUUID(), target];
  const [row] = await reviews.call<{ review_id: string }>(scope, { name: 'reviews.create_review', args });
  await report(scope, row!.review_id, true);
  return row!.review_id;
}

const report = (scope: TenantScope, review: string, successful: boolean): Promise<unknown> =>
  builds.call(scope, {
    name: 'builds.report_review_build',
    args: [review, newId(), 'RECORDED', successful, COMMIT, '1.0.0', null, null],
  });

/** Moves the log of a queue into the past, as if it had happened then. */
async function ago(review: string, seconds: number): Promise<void> {
  await database.query('ALTER TABLE reviews.queue_moves DISABLE TRIGGER USER');
  await database.query(
    'UPDATE reviews.queue_moves SET created_at = created_at - make_interval(secs => $2) WHERE review_id = $1',
    [review, seconds],
  );
  await database.query('ALTER TABLE reviews.queue_moves ENABLE TRIGGER USER');
}

describe('figures over all tenants', () => {
  it('count what waits and what is at MERGE, and show the oldest head and slot, of every tenant', async () => {
    const [acme, globex] = [await proveScope(database, 'alice'), await proveScope(database, 'mallory')];
    const slot = await green(acme, 'main');
    const head = await green(acme, 'main');
    const later = await green(acme, 'main');
    await green(globex, 'main');
    await ago(slot, 500);
    await ago(head, 300);
    await ago(later, 400);
    const [row] = await figures('merge_queues');
    expect(row).toMatchObject({ waiting: 2, merging: 2, slot_age_to_p95: 0 });
    expect(Math.floor(row!.slot_age_seconds! / 100)).toBe(5);
    expect(Math.floor(row!.head_age_seconds! / 100)).toBe(3);
  });

  it('show the time from READY to each outcome within the last hour, and nothing that never was in the queue', async () => {
    const scope = await proveScope(database, 'alice');
    const failed = await green(scope, 'timed');
    await ago(failed, 60);
    await report(scope, failed, false);
    await report(scope, failed, false);
    const old = await green(scope, 'timed');
    await report(scope, old, false);
    await ago(old, 7200);
    const rows = await figures('queue_times');
    expect(rows.map(({ outcome }) => outcome).sort()).toEqual(['closed', 'failed', 'merged', 'reconciled']);
    const of = (outcome: string) => rows.find((row) => String(row.outcome) === outcome)!;
    expect(of('failed').reviews).toBe(1);
    expect(Math.floor(of('failed').median_seconds! / 10)).toBe(6);
    expect(of('merged')).toMatchObject({ reviews: 0, p95_seconds: 0 });
  });

  it("compare a slot with the 95th percentile of its own queue's last slots", async () => {
    const scope = await proveScope(database, 'alice');
    for (let hold = 0; hold < 5; hold += 1) {
      const review = await green(scope, 'compared');
      // The earlier moves lie ten seconds before the one that ends the hold.
      await ago(review, 10);
      await report(scope, review, false);
    }
    const held = await green(scope, 'compared');
    await ago(held, 200);
    // This slot is younger than 15 minutes. The slot of another queue is older.
    await ago(await green(scope, 'usual'), 1000);
    const [young] = await figures('merge_queues');
    expect(young!.slot_age_to_p95).toBe(0);
    await ago(held, 1000);
    const [row] = await figures('merge_queues');
    // Each hold took ten seconds, and the time of its own statements.
    expect(row!.slot_age_to_p95).toBeGreaterThan(60);
    expect(row!.slot_age_to_p95).toBeLessThan(121);
  });

  it('are numbers and fixed words, without a tenant, a review or a name', async () => {
    const text = JSON.stringify([await figures('merge_queues'), await figures('queue_times')]);
    expect(text).not.toMatch(/[0-9a-f]{8}-|git\.example|main/);
    for (const { tenantId } of Object.values(TEST_TENANTS)) expect(text).not.toContain(tenantId);
    expect(text).not.toContain(TEST_USERS.alice.userId);
  });

  it('are read by indexes, where a table has many rows', async () => {
    const [{ bodies }] = (await database.query<{ bodies: string[] }>(
      `SELECT array_agg(prosrc) AS bodies FROM pg_proc WHERE pronamespace = 'figures'::regnamespace`,
    )) as [{ bodies: string[] }];
    expect(bodies).toHaveLength(3);
    // Small tables are read as a whole unless that is made expensive; without a fitting index it still happens.
    await database.query('SET enable_seqscan = off');
    for (const body of bodies) {
      const plan = await database.query(`EXPLAIN (COSTS off) ${body}`);
      expect(JSON.stringify(plan)).not.toContain('Seq Scan');
    }
    await database.query('RESET enable_seqscan');
  });

  it('can be read by no login but that of the service that shows them', async () => {
    await expect(
      builds.run({ name: 'foreign', text: 'SELECT * FROM figures.merge_queues()', values: [] }),
    ).rejects.toMatchObject({ code: '42501' });
  });
});
