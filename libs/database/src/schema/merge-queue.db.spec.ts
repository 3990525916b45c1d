import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { type BuildKind, newId, REVIEW_STATUSES, type ReviewStatus } from '@plat/contracts/core';
import { buildTrigger, reviewEffect } from '@plat/lifecycle';
import { createTestDatabase, proveScope, type TestDatabase, testDirectory } from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { Database } from '../transactions/database';
import type { TenantScope } from '../transactions/scope';

let scope: TenantScope;
const COMMIT = 'd'.repeat(40);

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
      applicationName: 'test',
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
  status: ReviewStatus;
  ticket: number | null;
  last_ready_build_id: string | null;
  last_failed_build_id: string | null;
}

/** A queue that only one case uses. */
class Queue {
  readonly repository = `https://git.example/acme/${randomUUID()}`;
  readonly target = `target/${randomUUID()}`;

  async open(): Promise<string> {
    const args = [
      randomUUID(),
      scope.userId,
      randomUUID(),
      this.repository,
      `topic/${randomUUID()}`,
      this.target,
    ];
    const [row] = await reviews.call<Row>(scope, { name: 'reviews.create_review', args });
    return row!.review_id;
  }

  /**
   * A review at a status. The owner writes the status and the fields that the constraints require with it. @returns its
   * id
   */
  async at(status: ReviewStatus): Promise<string> {
    const id = await this.open();
    const green = status === 'READY' || status === 'MERGE' ? await build(id, 'RECORDED', true) : null;
    const red = status === 'FAILED' ? await build(id, 'RECORDED', false) : null;
    await database.force(
      `UPDATE reviews.reviews SET status = $2, last_ready_build_id = $3, last_failed_build_id = $4,
              ticket = CASE WHEN $2 = 'READY' THEN (SELECT max(ticket) FROM reviews.queue_moves WHERE review_id = $1) END
        WHERE review_id = $1`,
      [id, status, green, red],
    );
    return id;
  }

  async advance(): Promise<Row | undefined> {
    const args = [this.target, this.repository, false];
    return (await reviews.call<Row>(scope, { name: 'reviews.advance', args }))[0];
  }
}

async function build(review: string, kind: BuildKind, successful: boolean): Promise<string> {
  const version = kind === 'RECORDED' ? '1.0.0' : null;
  const args = [review, newId(), kind, successful, COMMIT, version, successful ? null : 'red', null];
  const [row] = await builds.call<{ build_id: string }>(scope, { name: 'builds.report_review_build', args });
  return row!.build_id;
}

async function read(id: string): Promise<Row> {
  const [row] = await reviews.call<Row>(scope, { name: 'reviews.get_review', args: [id] });
  return row!;
}

const REPORTS = (['RECORDED', 'GATE'] as const).flatMap((kind) =>
  [true, false].map((successful) => ({ kind, successful })),
);
const PAIRS = REVIEW_STATUSES.flatMap((status) =>
  REPORTS.map((report) => ({ status, ...report, trigger: buildTrigger(report) })),
);

describe('lifecycle and the SQL of the queue agree', () => {
  it.each(PAIRS)('on $trigger at $status', async ({ status, kind, successful, trigger }) => {
    const queue = new Queue();
    const occupied = status !== 'MERGE';
    if (occupied) await queue.at('MERGE');
    const id = await queue.at(status);
    const before = await read(id);
    const buildId = await build(id, kind, successful);
    const after = await read(id);
    const effect = reviewEffect(status, trigger);
    if (effect.kind !== 'move') {
      expect(after).toEqual(before);
      return;
    }
    expect(after.status).toBe(effect.to);
    expect(
      after[effect.records === 'lastReadyBuildId' ? 'last_ready_build_id' : 'last_failed_build_id'],
    ).toBe(buildId);
    expect(after.ticket !== null).toBe(effect.joinsTail === true);
  });

  it.each(PAIRS)('on whether $trigger at $status continues to MERGE in an idle queue', async (pair) => {
    const { status, kind, successful, trigger } = pair;
    const id = await new Queue().at(status);
    await build(id, kind, successful);
    const effect = reviewEffect(status, trigger);
    const expected = effect.kind !== 'move' ? status : effect.continuesToMerge ? 'MERGE' : effect.to;
    expect((await read(id)).status).toBe(expected);
  });

  it.each(REVIEW_STATUSES)('on a promotion of a review at %s: only READY is promoted', async (status) => {
    const queue = new Queue();
    const id = await queue.at(status);
    const effect = reviewEffect(status, 'PROMOTE');
    const outcome = await queue.advance().catch((error: { code: string }) => error.code);
    if (effect.kind === 'move') {
      expect(outcome).toMatchObject({ review_id: id, status: effect.to, ticket: null });
    } else {
      expect(outcome).toBe(status === 'MERGE' ? 'MERGE_QUEUE_OCCUPIED' : 'EMPTY_QUEUE');
    }
    expect((await read(id)).status).toBe(effect.kind === 'move' ? effect.to : status);
  });
});

describe('the constraints hold without the code', () => {
  const refusal = async (sql: string, args: unknown[]): Promise<unknown> =>
    database
      .force(sql, args)
      .catch((error: { constraint?: string; code?: string }) => error.constraint ?? error.code);

  it('one review at MERGE per repository and target', async () => {
    const queue = new Queue();
    await queue.at('MERGE');
    const second = await queue.at('READY');
    const move = "UPDATE reviews.reviews SET status = 'MERGE', ticket = NULL WHERE review_id = $1";
    expect(await refusal(move, [second])).toBe('reviews_one_merge');
  });

  it('no two waiting reviews have the same ticket', async () => {
    const queue = new Queue();
    await queue.at('MERGE');
    const [first, second] = [await queue.at('READY'), await queue.at('READY')];
    const share =
      'UPDATE reviews.reviews SET ticket = (SELECT ticket FROM reviews.reviews WHERE review_id = $1) WHERE review_id = $2';
    expect(await refusal(share, [first, second])).toBe('reviews_line');
  });

  it("a review's last builds are builds of that very review", async () => {
    const queue = new Queue();
    const [one, other] = [await queue.at('OPEN'), await queue.at('OPEN')];
    const buildId = await build(other, 'GATE', true);
    const owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
    // USER leaves the triggers of foreign keys enabled.
    await owner.query('BEGIN; ALTER TABLE reviews.reviews DISABLE TRIGGER USER');
    const claim = 'UPDATE reviews.reviews SET last_ready_build_id = $2 WHERE review_id = $1';
    await expect(owner.query(claim, [one, buildId])).rejects.toMatchObject({
      constraint: expect.stringMatching(/last_ready_build_id/),
    });
    await owner.end();
  });
});

it('every move raises the version of its queue and is logged with it', async () => {
  const queue = new Queue();
  const first = await queue.open();
  await build(first, 'RECORDED', true);
  const second = await queue.open();
  await build(second, 'RECORDED', true);
  await build(first, 'GATE', false);
  await queue.advance();
  await reviews.call(scope, { name: 'reviews.requeue', args: [second] });
  await reviews.call(scope, { name: 'reviews.close_review', args: [second] });
  const moves = await database.query(
    'SELECT version::int, review_id, move, ticket::int FROM reviews.queue_moves WHERE target_branch = $1 ORDER BY version',
    [queue.target],
  );
  expect(moves).toEqual([
    { version: 1, review_id: first, move: 'ready', ticket: 1 },
    { version: 2, review_id: first, move: 'promote', ticket: 1 },
    { version: 3, review_id: second, move: 'ready', ticket: 2 },
    { version: 4, review_id: first, move: 'fail', ticket: null },
    { version: 5, review_id: second, move: 'promote', ticket: 2 },
    { version: 6, review_id: second, move: 'requeue', ticket: 3 },
    { version: 7, review_id: second, move: 'close', ticket: 3 },
  ]);
});
