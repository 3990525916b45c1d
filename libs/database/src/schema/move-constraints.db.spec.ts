import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { newId } from '@plat/contracts/core';
import { createTestDatabase, proveScope, type TestDatabase, testDirectory } from '@plat/testing';
import { applyDirectory } from '../directory/apply-directory';
import { Database } from '../transactions/database';
import type { TenantScope } from '../transactions/scope';

const COMMIT = 'd'.repeat(40);
const OTHER_COMMIT = 'e'.repeat(40);
const REPOSITORY = 'https://git.example/acme/app';

let database: TestDatabase;
let reviews: Database;
let builds: Database;
let scope: TenantScope;
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

/** Makes an OPEN review, alone in its queue. @returns its id */
async function open(): Promise<string> {
  const [row] = await reviews.call<{ review_id: string }>(scope, {
    name: 'reviews.create_review',
    args: [randomUUID(), scope.userId, randomUUID(), REPOSITORY, randomUUID(), `target/${randomUUID()}`],
  });
  return row!.review_id;
}

/** Reports a build of a review, which may move the review. @returns the build's id */
async function build(
  review: string,
  successful: boolean,
  kind: 'RECORDED' | 'GATE' = 'RECORDED',
): Promise<string> {
  const [row] = await builds.call<{ build_id: string }>(scope, {
    name: 'builds.report_review_build',
    args: [review, newId(), kind, successful, COMMIT, kind === 'GATE' ? null : '1.0.0', 'x', null],
  });
  return row!.build_id;
}

/** A review at the status, brought there by the product's own functions. @returns its id */
async function at(status: 'OPEN' | 'MERGE' | 'FAILED' | 'CLOSED'): Promise<string> {
  const id = await open();
  if (status === 'MERGE') await build(id, true);
  if (status === 'FAILED') await build(id, false);
  if (status === 'CLOSED') await reviews.call(scope, { name: 'reviews.close_review', args: [id] });
  return id;
}

const merge = (
  review: string,
  buildId: string,
  proof: object = {},
): Promise<{ release_error: string | null }[]> =>
  reviews.call(scope, {
    name: 'reviews.accept_queue_merge',
    args: [
      review,
      buildId,
      randomUUID(),
      REPOSITORY,
      REPOSITORY,
      JSON.stringify({ remoteUrl: REPOSITORY, targetTip: COMMIT, commitId: COMMIT, ...proof }),
    ],
    select: 'f.release_error',
  });

/**
 * Writes as the tables' owner, under every policy. `$1` is the review.
 *
 * @returns the number of rows written, or the refusal
 */
async function writeAndRollBack(review: string, statement: string, args: unknown[] = []): Promise<unknown> {
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    await client.query('BEGIN; SET LOCAL ROLE plat_reviews_owner');
    await client.query('SELECT tenancy.enter_as($1, false)', [scope.proof]);
    const { rowCount } = await client.query(statement, [review, ...args]);
    return rowCount;
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return code === '23000' ? message : error;
  } finally {
    await client.end();
  }
}

/** Logs a move of the review as the last one of its queue, as a writer does who knows the rules. */
const LOGGED = `WITH subject AS (SELECT * FROM reviews.reviews WHERE review_id = $1),
  logged AS (SELECT reviews.log_move(s::reviews.reviews, MOVE) AS counter FROM (SELECT * FROM subject) s)`;
/** LOGGED for a move and the build that caused it: by default the build that the statement names. */
const logged = (move: string, build = '$2'): string => LOGGED.replace('MOVE', `'${move}', ${build}::uuid`);

/** How a move is refused that names another review's build. */
const NO_BUILD_OF_THE_REVIEW = {
  code: '23503',
  constraint: 'queue_moves_tenant_id_review_id_build_id_fkey',
};

describe('the database refuses a review, whoever writes it, that is', () => {
  it.each<[string, 'OPEN' | 'MERGE' | 'FAILED' | 'CLOSED', string]>([
    ['MERGED without a record', 'FAILED', `status = 'MERGED'`],
    ['MERGED from MERGE without a record', 'MERGE', `status = 'MERGED'`],
    ['at MERGE without a move of its queue', 'OPEN', `status = 'MERGE', last_ready_build_id = $2`],
    ['CLOSED and open again', 'CLOSED', `status = 'OPEN'`],
    ['CLOSED while it is at MERGE', 'MERGE', `status = 'CLOSED'`],
    ['OPEN again', 'FAILED', `status = 'OPEN'`],
    ['of another author', 'OPEN', `author_user_id = $2`],
    ['of another repository', 'MERGE', `repository = 'https://git.example/other'`],
    ['of another target', 'MERGE', `target_branch = 'other'`],
  ])('%s', async (_, from, change) => {
    const id = await at(from);
    const statement = `UPDATE reviews.reviews SET ${change} WHERE review_id = $1`;
    expect(await writeAndRollBack(id, statement, change.includes('$2') ? [randomUUID()] : [])).toMatch(
      /^a (review|move)|^MERGED rests/,
    );
  });

  it('READY by a build of another review or by one that failed', async () => {
    const id = await at('FAILED');
    const [other, red] = [await build(await open(), true), await build(id, false)];
    const statement = `${logged('ready')} UPDATE reviews.reviews SET status = 'READY', last_ready_build_id = $2,
        ticket = (SELECT counter FROM logged) WHERE review_id = $1`;
    expect(await writeAndRollBack(id, statement, [red])).toBe(
      'READY rests on a successful build of the review',
    );
    // The log of moves names builds of the review alone, so that the move is refused before the review is.
    expect(await writeAndRollBack(id, statement, [other])).toMatchObject(NO_BUILD_OF_THE_REVIEW);
    await database.query(
      `ALTER TABLE reviews.queue_moves DROP CONSTRAINT ${NO_BUILD_OF_THE_REVIEW.constraint}`,
    );
    expect(await writeAndRollBack(id, statement, [other])).toBe(
      'READY rests on a successful build of the review',
    );
    await database.query(
      `ALTER TABLE reviews.queue_moves ADD CONSTRAINT ${NO_BUILD_OF_THE_REVIEW.constraint}
         FOREIGN KEY (tenant_id, review_id, build_id) REFERENCES builds.builds (tenant_id, review_id, build_id)`,
    );
  });

  it('READY without an entry of the log, or with a ticket that the queue did not give', async () => {
    const id = await at('FAILED');
    const green = await build(id, true, 'GATE');
    const ready = `UPDATE reviews.reviews SET status = 'READY', last_ready_build_id = $2, ticket = 7 WHERE review_id = $1`;
    const rule = "a move of a review is the last one of its queue's log";
    expect(await writeAndRollBack(id, ready, [green])).toBe(rule);
    expect(
      await writeAndRollBack(
        id,
        ready.replace('7', `(SELECT counter + 1 FROM logged)`).replace('UPDATE', `${logged('ready')} UPDATE`),
        [green],
      ),
    ).toBe(rule);
  });

  it('READY by a requeue from FAILED, even if an earlier build succeeded', async () => {
    const id = await at('MERGE');
    await build(id, false);
    const requeue = () => reviews.call(scope, { name: 'reviews.requeue', args: [id] });
    await expect(requeue()).rejects.toThrow("a move of a review is the last one of its queue's log");
    await build(id, true);
    expect(await requeue()).toMatchObject([{ status: 'READY' }]);
  });

  it('FAILED by a build that succeeded', async () => {
    const id = await at('OPEN');
    const green = await build(id, true, 'GATE');
    const statement = `${logged('fail')} UPDATE reviews.reviews SET status = 'FAILED', last_failed_build_id = $2,
        updated_at = CASE WHEN (SELECT counter FROM logged) > 0 THEN now() ELSE now() END WHERE review_id = $1`;
    expect(await writeAndRollBack(id, statement, [green])).toBe(
      'FAILED rests on a failed build of the review',
    );
  });

  it('moved by another build than the one that the log names', async () => {
    const id = await at('FAILED');
    const [green, other] = [await build(id, true, 'GATE'), await build(id, true, 'GATE')];
    const statement = `${logged('ready', `'${other}'`)} UPDATE reviews.reviews
        SET status = 'READY', last_ready_build_id = $2, ticket = (SELECT counter FROM logged) WHERE review_id = $1`;
    expect(await writeAndRollBack(id, statement, [green])).toBe(
      "a move of a review is the last one of its queue's log",
    );
  });

  it.each([
    ['without the build that caused it', `'fail'`],
    ['with a cause that the move cannot have', `'close', NULL, 'MERGED'`],
    ['with a reason, unless threads are passed over', `'promote', NULL, 'PROMOTED', 'because'`],
    ['without a reason, if threads are passed over', `'promote', NULL, 'PROMOTED_BY_OVERRIDE'`],
  ])('logged %s', async (_, move) => {
    const id = await at('FAILED');
    expect(
      await writeAndRollBack(id, `${LOGGED.replace('MOVE', move)} SELECT counter FROM logged`),
    ).toMatchObject({
      constraint: 'queue_moves_cause',
    });
  });

  it('logged for no one', async () => {
    const id = await at('OPEN');
    const anonymous = `INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, move, cause)
      SELECT tenant_id, target_branch, 1000, review_id, 'close', 'CLOSED' FROM reviews.reviews WHERE review_id = $1`;
    expect(await writeAndRollBack(id, anonymous)).toMatchObject({ code: '23502', column: 'actor_user_id' });
  });

  it('new at any status but OPEN', async () => {
    const id = await at('MERGE');
    const copy = `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, source_branch, target_branch,
        status, last_ready_build_id)
      SELECT tenant_id, gen_random_uuid(), author_user_id, 'copy', 'copy', target_branch, 'MERGE', last_ready_build_id
        FROM reviews.reviews WHERE review_id = $1`;
    expect(await writeAndRollBack(id, copy)).toBe('a new review is OPEN');
  });

  it('deleted', async () => {
    expect(await writeAndRollBack(await open(), 'DELETE FROM reviews.reviews WHERE review_id = $1')).toBe(
      'DELETE of reviews.reviews is not done',
    );
  });
});

describe('a merge', () => {
  it('through the queue is applied with its record, and neither is ever changed', async () => {
    const id = await at('MERGE');
    const gate = await build(id, true, 'GATE');
    expect(await merge(id, gate)).toEqual([{ release_error: null }]);
    for (const status of ['OPEN', 'READY', 'MERGE', 'FAILED', 'CLOSED']) {
      expect(
        await writeAndRollBack(
          id,
          'UPDATE reviews.reviews SET status = $2, ticket = NULL WHERE review_id = $1',
          [status],
        ),
      ).toBe(`a review at MERGED does not move to ${status}`);
    }
    for (const change of [
      `target_tip = '${OTHER_COMMIT}'`,
      `remote_url = 'https://other.example'`,
      `commit_id = '${OTHER_COMMIT}'`,
      `anchor_commit_id = '${OTHER_COMMIT}'`,
      `conditions = '{A1}'`,
    ]) {
      expect(
        await writeAndRollBack(id, `UPDATE reviews.verifications SET ${change} WHERE review_id = $1`),
      ).toBe('the record of a verification is not changed');
    }
    expect(await writeAndRollBack(id, 'DELETE FROM reviews.verifications WHERE review_id = $1')).toBe(
      'DELETE of reviews.verifications is not done',
    );
  });

  it('a verdict on its content that could not be computed may be computed later, once', async () => {
    const id = await at('MERGE');
    await merge(id, await build(id, true, 'GATE'));
    const decide = `UPDATE reviews.verifications SET content_verdict = 'EXACT', content_reason = NULL, tree_id = $2,
        source_tip = $2 WHERE review_id = $1`;
    expect(await writeAndRollBack(id, decide, [COMMIT])).toBe(1);
    await database.force(decide, [id, COMMIT]);
    expect(await writeAndRollBack(id, decide, [OTHER_COMMIT])).toBe(
      'the record of a verification is not changed',
    );
  });

  it.each<[string, (id: string) => Promise<string>, { proof?: object; refusal?: object }]>([
    ['a build that is not of the gate', (id) => build(id, true), {}],
    [
      'a build of another review',
      async () => build(await open(), true, 'GATE'),
      { refusal: NO_BUILD_OF_THE_REVIEW },
    ],
    [
      'another commit than that of the build',
      (id) => build(id, true, 'GATE'),
      { proof: { commitId: OTHER_COMMIT } },
    ],
  ])('is refused with %s', async (_, makeBuild, { proof = {}, refusal = { code: '23000' } }) => {
    const id = await at('MERGE');
    await expect(merge(id, await makeBuild(id), proof)).rejects.toMatchObject(refusal);
    expect(await reviews.call(scope, { name: 'reviews.get_review', args: [id], select: 'f.status' })).toEqual(
      [{ status: 'MERGE' }],
    );
  });

  it('by reconciliation is refused of a review at MERGE', async () => {
    const id = await at('MERGE');
    const proof = JSON.stringify({ remoteUrl: REPOSITORY, targetTip: COMMIT, sourceTip: COMMIT });
    await expect(
      reviews.call(scope, {
        name: 'reviews.accept_history_merge',
        args: [id, 'MERGE', REPOSITORY, REPOSITORY, proof],
      }),
    ).rejects.toMatchObject({ code: '23000' });
  });
});

describe("a queue's counters", () => {
  it.each([
    'version = version + 1',
    'version = version - 1',
    'last_ticket = last_ticket + 1',
    'version = version + 1, last_ticket = last_ticket + 1',
    'last_merge = last_merge + 1',
    `target_branch = 'other'`,
  ])('change only with an entry of the log: %s', async (change) => {
    const id = await at('MERGE');
    const statement = `UPDATE reviews.queues SET ${change}
      WHERE target_branch = (SELECT target_branch FROM reviews.reviews WHERE review_id = $1)`;
    expect(await writeAndRollBack(id, statement)).toBe('a queue moves by one entry of its log');
  });

  it('begin at zero, and the log is never changed', async () => {
    const id = await at('MERGE');
    const begin = `INSERT INTO reviews.queues (tenant_id, target_branch, version)
      SELECT tenant_id, 'other', 7 FROM reviews.reviews WHERE review_id = $1`;
    expect(await writeAndRollBack(id, begin)).toBe('a new queue has not moved');
    expect(
      await writeAndRollBack(id, `UPDATE reviews.queue_moves SET move = 'close' WHERE review_id = $1`),
    ).toBe('UPDATE of reviews.queue_moves is not done');
    expect(await writeAndRollBack(id, 'DELETE FROM reviews.queue_moves WHERE review_id = $1')).toBe(
      'DELETE of reviews.queue_moves is not done',
    );
  });
});

it('the stored build decides how its review moves, not the arguments of apply_build', async () => {
  const id = await at('OPEN');
  const [gate, foreign] = [await build(id, true, 'GATE'), await build(await open(), true)];
  const client = new Client({ connectionString: database.ownerUrl });
  await client.connect();
  await client.query('SET ROLE plat_builds_owner');
  await client.query(`SELECT set_config('plat.proof', $1, false)`, [scope.proof]);
  for (const named of [gate, foreign, randomUUID()]) {
    await client.query(`SELECT reviews.apply_build($1, $2, $3, 'RECORDED', true)`, [
      scope.tenantId,
      id,
      named,
    ]);
  }
  await client.end();
  expect(await reviews.call(scope, { name: 'reviews.get_review', args: [id], select: 'f.status' })).toEqual([
    { status: 'OPEN' },
  ]);
});
