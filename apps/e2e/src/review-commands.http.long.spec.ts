import { setTimeout as delay } from 'node:timers/promises';
import { WAIT_SECONDS_MAX } from '@plat/contracts/core';
import { TEST_USERS } from '@plat/testing';
import { type Checkout, DriveStand, waitForExit } from './drive-stand';

jest.setTimeout(120_000);

interface Review {
  reviewId: string;
  status: string;
}

describe("a person's own way through the queue, command by command, against the services and a repository", () => {
  let stand: DriveStand;
  beforeAll(async () => (stand = await DriveStand.set()));
  afterAll(() => stand.strike());

  const statusOf = async (checkout: Checkout, id: string) =>
    (await checkout.json<Review>(['review', 'show', id])).status;

  it('gates, pushes and reports a review by hand', async () => {
    const checkout = await stand.repository('by-hand');
    const id = await checkout.propose('feature/1-by-hand', { 'README.md': 'by hand\n' });
    expect(await statusOf(checkout, id)).toBe('MERGE');
    const merge = await checkout.json<{ mergeCommit: string }>([
      ...['exec', 'gate-merge', '--source', 'feature/1-by-hand', '--target-branch', 'main'],
    ]);
    const run = await checkout.json<{ gateRunId: string }>([
      ...['exec', 'gate-run', 'start', '--source-branch', 'feature/1-by-hand', '--target-branch', 'main'],
      ...['--review', id],
    ]);
    await checkout.json(['exec', 'gate-run', 'report', run.gateRunId, '--verdict', 'PASSED']);
    expect(await checkout.json(['gate', 'show', run.gateRunId])).toMatchObject({ verdict: 'PASSED' });
    const listed = await checkout.json<{ gateRuns: object[] }>(['gate', 'list', '--review', id]);
    expect(listed.gateRuns).toHaveLength(1);
    const build = await checkout.json<{ buildId: string; vouched?: true }>([
      ...['review', 'record-build', id, '--gate', '--commit-id', merge.mergeCommit],
    ]);
    // It rests on the gate run.
    expect(build.vouched).toBeUndefined();
    const report = [
      'review',
      'report-merged',
      id,
      '--remote-url',
      checkout.remote,
      '--build-id',
      build.buildId,
    ];
    const early = await checkout.plat(report);
    expect(JSON.parse(early.stdout)).toMatchObject({ code: 'MERGE_NOT_VERIFIED', exitCode: 1 });
    await checkout.json(['exec', 'push', '--target-branch', 'main']);
    await checkout.json(report);
    expect(
      await checkout.json(['review', 'wait', id, '--until', 'MERGED', '--timeout', '10s']),
    ).toMatchObject({
      status: 'MERGED',
    });
  });

  it('waits for a change without asking again and again: one row of the trail for each answer', async () => {
    const checkout = await stand.repository('waiting');
    const id = await checkout.propose('feature/1-waited', { 'README.md': 'waited\n' });
    const reads = async () => {
      const [row] = await stand.service.database.query<{ n: number }>(
        "SELECT count(*)::int AS n FROM audit.audit_events WHERE api_path = '/v1/reviews/{review_id}'",
      );
      return row!.n;
    };
    const before = await reads();
    const began = performance.now();
    const waiting = waitForExit(checkout.start(['review', 'wait', id]));
    const figure = 'plat_requests_waiting_for_change{service="reviews"} 1\n';
    while (!(await (await fetch(`${stand.service.url}/metrics`)).text()).includes(figure)) await delay(20);
    await checkout.json(['review', 'requeue', id]);
    await checkout.json(['review', 'close', id]);
    const { code, stdout } = await waiting;
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { code: 'ENDED_ELSEWHERE' }]);
    // The first reading, and one for each of the two moves, if the second did not come before the answer to the first. On a
    // busy machine the longest wait of a request may pass as well.
    const longWaits = Math.floor((performance.now() - began) / 1000 / WAIT_SECONDS_MAX);
    expect(await reads()).toBeLessThanOrEqual(before + 3 + longWaits);
  });

  it('holds a review by a thread, lets it go when the thread is closed, or over it with a reason', async () => {
    const checkout = await stand.repository('threads');
    const first = await checkout.propose('feature/1-first', { 'README.md': 'first\n' });
    const second = await checkout.propose('feature/2-second', { 'README.md': 'second\n' });
    expect([await statusOf(checkout, first), await statusOf(checkout, second)]).toEqual(['MERGE', 'READY']);
    const comment = ['review', 'comment', second, '--file', 'README.md', '--line', '1', '--body', 'why?'];
    const { commentId } = await checkout.json<{ commentId: string }>(comment);
    await checkout.json(['review', 'comment', second, '--reply-to', commentId, '--body', 'since it is so']);
    const tip = await checkout.git('rev-parse', 'feature/1-first');
    const failed = ['--gate', '--failed', '--failure-detail', '3 tests failed', '--commit-id', tip];
    await checkout.json(['review', 'record-build', first, ...failed]);
    await checkout.json(['review', 'close', first]);
    const held = await checkout.plat(['review', 'queue', 'advance', '--target-branch', 'main']);
    expect(held.code).toBe(1);
    expect(held.stdout).toContain(second);
    const override = ['review', 'queue', 'override-advance', '--target-branch', 'main', '--reason', 'agreed'];
    await checkout.json(override);
    expect(await statusOf(checkout, second)).toBe('MERGE');
    await checkout.json(['review', 'requeue', second]);
    expect(await statusOf(checkout, second)).toBe('READY');
    await checkout.json(['review', 'resolve', second, commentId]);
    await checkout.json(['review', 'queue', 'advance', '--target-branch', 'main']);
    expect(await statusOf(checkout, second)).toBe('MERGE');
  });

  it('assigns reviewers by name, and lists what is open', async () => {
    const checkout = await stand.repository('reviewers');
    const id = await checkout.propose('feature/1-reviewed', { 'README.md': 'reviewed\n' });
    await checkout.json(['cloud', 'users']);
    await checkout.json(['review', 'reviewers', 'add', id, 'bob']);
    const list = ['review', 'reviewers', 'list', id];
    expect(await checkout.json(list)).toEqual([expect.objectContaining({ userId: TEST_USERS.bob.userId })]);
    await checkout.json(['review', 'reviewers', 'remove', id, 'bob']);
    expect(await checkout.json(list)).toEqual([]);
    const waiting = await checkout.propose('feature/2-waits', { 'README.md': 'waits\n' });
    const queue = await checkout.json<Review[]>(['review', 'queue', 'list', '--target-branch', 'main']);
    expect(queue.map(({ reviewId }) => reviewId)).toEqual([waiting]);
    const reviews = await checkout.json(['review', 'list', '--status', 'MERGE']);
    expect(JSON.stringify(reviews)).toContain(id);
  });
});
