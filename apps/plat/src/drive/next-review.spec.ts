import { canonicalRepository } from '@plat/remote';
import { DriveBench, REVIEW_ID, SOURCE } from '../black-box/drive-bench';
import type { Answer } from '../black-box/platform-double';
import { takeNext } from './drive';

const OTHER_ID = `${REVIEW_ID.slice(0, -1)}2`;
const ADVANCE = 'POST /v1/reviews/merge-queue/advance';
const TAKEN_AT = '2026-01-02T03:04:05Z';

describe('the review that a drive takes next', () => {
  let bench: DriveBench;
  beforeEach(async () => {
    bench = await DriveBench.set();
    for (const id of [REVIEW_ID, OTHER_ID]) {
      bench.platform.answer(`GET /v1/reviews/${id}`, { body: review(id) });
    }
    bench.platform.answer(ADVANCE, { body: review(REVIEW_ID) });
    bench.platform.answer(`GET /v1/reviews/${OTHER_ID}/builds`, { body: [] });
  });
  afterEach(() => bench.strike());

  const review = (reviewId: string) => ({
    reviewId,
    name: 'Add limits',
    sourceBranch: SOURCE,
    repository: canonicalRepository(bench.checkout.origin),
    targetBranch: 'main',
    status: 'MERGE',
    updatedAt: TAKEN_AT,
  });
  const refused = (code: string, details = {}): Answer => ({
    status: code === 'EMPTY_QUEUE' ? 404 : 409,
    body: { code, message: 'No.', details },
  });
  const occupied = () =>
    bench.platform.answer(ADVANCE, refused('MERGE_QUEUE_OCCUPIED', { reviewId: OTHER_ID }));
  const running = (holder: string) =>
    bench.platform.answer('GET /v1/gate-runs', {
      body: { gateRuns: [{ gateRunId: REVIEW_ID, verdict: 'RUNNING', holder, createdAt: TAKEN_AT }] },
    });
  const next = (takeOver = false) => takeNext(bench.context({ takeOver }));
  const promotions = () => bench.platform.to(ADVANCE).length;

  it('is the review of an earlier run, before any other is promoted', async () => {
    const left = bench.state({ pushed: true });
    await bench.stateFile.write(left);
    expect(await next()).toMatchObject({ state: left, review: { reviewId: REVIEW_ID } });
    expect(promotions()).toBe(0);
  });

  it('is never a review of another platform, whose state is ignored', async () => {
    await bench.stateFile.write(bench.state({ apiUrl: 'https://elsewhere.example.com', pushed: true }));
    expect((await next())?.state).toEqual(bench.state());
  });

  it('is the head of the queue, and is stored in the state before its merge is made', async () => {
    expect(await next()).toMatchObject({ state: bench.state(), review: { reviewId: REVIEW_ID } });
    expect(await bench.stateFile.read()).toEqual(bench.state());
    const body = { repository: `file://${bench.checkout.origin}`, targetBranch: 'main' };
    expect(bench.platform.to(ADVANCE)).toMatchObject([{ body }]);
  });

  it('is undefined if the platform reports an empty queue, and an error at any other refusal', async () => {
    bench.platform.answer(ADVANCE, refused('EMPTY_QUEUE'));
    expect(await next()).toBeUndefined();
    bench.platform.answer(ADVANCE, refused('CONFLICT'));
    await expect(next()).rejects.toThrow();
    expect(await bench.stateFile.read()).toBeUndefined();
  });

  describe.each([
    ['target branch', { targetBranch: 'release' }],
    ['repository', { repository: 'https://git.example.com/acme/other' }],
  ])('is never one of another %s', (_what, other) => {
    it.each([
      ['promoted', () => bench.platform.answer(ADVANCE, { body: { ...review(REVIEW_ID), ...other } })],
      [
        'in the slot',
        () => {
          occupied();
          bench.platform.answer(`GET /v1/reviews/${OTHER_ID}`, { body: { ...review(OTHER_ID), ...other } });
        },
      ],
    ])('that is %s', async (_how, handOut) => {
      handOut();
      await expect(next()).rejects.toMatchObject({ code: 'OTHER_QUEUE', details: other });
      expect(await bench.stateFile.read()).toBeUndefined();
    });

    it('that an earlier run took: it keeps the state, and names the way to put the review back', async () => {
      await bench.stateFile.write(bench.state());
      bench.platform.answer(`GET /v1/reviews/${REVIEW_ID}`, { body: { ...review(REVIEW_ID), ...other } });
      await expect(next()).rejects.toMatchObject({
        code: 'OTHER_QUEUE',
        next: expect.stringContaining('plat drive --target-branch main --give-up') as string,
      });
      expect(await bench.stateFile.read()).toEqual(bench.state());
    });
  });

  it('may be one without a repository, which is in the queue of each', async () => {
    bench.platform.answer(ADVANCE, { body: { ...review(REVIEW_ID), repository: undefined } });
    expect((await next())?.state.review.reviewId).toBe(REVIEW_ID);
  });

  it('is the holder of the slot if no other drive gates it', async () => {
    occupied();
    running('me@here:/app (1)');
    expect((await next())?.state.review.reviewId).toBe(OTHER_ID);
  });

  it('is not the holder of the slot if another drive gates it, unless it is taken over', async () => {
    occupied();
    running('you@there:/app (2)');
    await expect(next()).rejects.toMatchObject({ code: 'GATED_ELSEWHERE', details: { reviewId: OTHER_ID } });
    expect(await bench.stateFile.read()).toBeUndefined();
    expect((await next(true))?.state.review.reviewId).toBe(OTHER_ID);
  });

  it('needs only a report if the holder of the slot has landed, even if another drive gates it', async () => {
    occupied();
    running('you@there:/app (2)');
    const commitId = await bench.commit('main');
    const build = { buildId: REVIEW_ID, kind: 'GATE', successful: true, commitId };
    bench.platform.answer(`GET /v1/reviews/${OTHER_ID}/builds`, { body: [build] });
    expect((await next())?.state).toMatchObject({ pushed: true, buildId: REVIEW_ID });
  });
});
