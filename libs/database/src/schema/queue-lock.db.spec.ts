import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { newId } from '@plat/contracts/core';
import {
  createTestDatabase,
  proveScope,
  TEST_TENANTS,
  type TestDatabase,
  testDirectory,
} from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { Database } from '../transactions/database';
import type { TenantScope } from '../transactions/scope';

const { tenantId } = TEST_TENANTS.acme;
let scope: TenantScope;
const COMMIT = 'd'.repeat(40);
const LOOKS_MAX = 10_000;

let database: TestDatabase;
let reviews: Database;
let builds: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  await applyDirectory(database.ownerUrl, testDirectory('http://127.0.0.1:4000'));
  scope = await proveScope(database, 'alice');
  const connect = (role: string): Promise<Database> =>
    Database.connect({
      url: database.url(role),
      applicationName: 'queue-lock',
      poolSizeMax: 2,
      preparedStatements: true,
    });
  [reviews, builds] = [await connect('plat_reviews'), await connect('plat_builds')];
});
afterAll(async () => {
  await Promise.all([reviews.close(), builds.close()]);
  await database.drop();
});

interface Row {
  review_id: string;
  status: string;
}

/** A review of a queue; `target` is the queue's branch. Its id. */
async function open(target: string): Promise<string> {
  const args = [
    randomUUID(),
    scope.userId,
    randomUUID(),
    'https://git.example/acme/app',
    randomUUID(),
    target,
  ];
  return (await reviews.call<Row>(scope, { name: 'reviews.create_review', args }))[0]!.review_id;
}

async function report(review: string, successful: boolean): Promise<string> {
  const args = [review, newId(), 'RECORDED', successful, COMMIT, '1.0.0', null, null];
  const [row] = await builds.call<{ build_id: string }>(scope, { name: 'builds.report_review_build', args });
  return row!.build_id;
}

const advance = (target: string): Promise<Row[]> =>
  reviews.call<Row>(scope, { name: 'reviews.advance', args: [target, null, false] });

const statusOf = async (review: string): Promise<string> =>
  (await reviews.call<Row>(scope, { name: 'reviews.get_review', args: [review] }))[0]!.status;

/** A queue whose slot was given up, with one review that waits. */
async function makeWaitingQueue(): Promise<{ target: string; head: string; failed: string }> {
  const target = `target/${randomUUID()}`;
  const [first, head] = [await open(target), await open(target)];
  await report(first, true);
  await report(head, true);
  const failed = await report(first, false);
  return { target, head, failed };
}

/**
 * Starts `move` while another transaction holds the queue's lock. That one moves the head to FAILED once `move` waits
 * for the lock, and commits.
 *
 * @returns the answer of `move`
 */
async function whileHeadFails<T>(target: string, head: string, move: () => Promise<T>): Promise<T> {
  const holder = new Client(database.ownerUrl);
  await holder.connect();
  try {
    await holder.query('BEGIN');
    // Triggers would refuse the update below, because the build succeeded and no move is logged.
    await holder.query('SET LOCAL session_replication_role = replica');
    await holder.query('SELECT reviews.lock_queue($1, $2)', [tenantId, target]);
    const moved = move();
    await somebodyWaits();
    await holder.query(
      `UPDATE reviews.reviews SET status = 'FAILED', ticket = NULL,
              last_failed_build_id = (SELECT build_id FROM builds.builds WHERE review_id = $1 LIMIT 1)
        WHERE review_id = $1`,
      [head],
    );
    await holder.query('COMMIT');
    return await moved;
  } finally {
    await holder.end();
  }
}

/** Polls until a service's connection waits for a lock. */
async function somebodyWaits(): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks++) {
    const waiting = await database.query(
      `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'queue-lock' AND wait_event_type = 'Lock'`,
    );
    if (waiting.length > 0) return;
  }
  throw new Error('no one waits for the lock of the queue');
}

describe("every move reads its queue under the queue's lock, and so sees a move that has just been committed", () => {
  it('advance promotes no review that has just left the line', async () => {
    const { target, head } = await makeWaitingQueue();
    const second = await open(target);
    await report(second, true);
    const [promoted] = await whileHeadFails(target, head, () => advance(target));
    expect(promoted).toMatchObject({ review_id: second, status: 'MERGE' });
    expect(await statusOf(head)).toBe('FAILED');
  });

  it('a green build continues to MERGE if the queue has just become idle', async () => {
    const { target, head } = await makeWaitingQueue();
    const second = await open(target);
    await whileHeadFails(target, head, () => report(second, true));
    expect(await statusOf(second)).toBe('MERGE');
  });
});
