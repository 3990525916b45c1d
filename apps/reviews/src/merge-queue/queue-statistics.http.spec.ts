import { randomUUID } from 'node:crypto';
import { buildsService } from '@plat/builds';
import { defined } from '@plat/contracts/core';
import type { MergeQueueStatistics } from '@plat/contracts/reviews';
import { releasesService } from '@plat/releases';
import { MergeStand, ReviewScene, type TestAnswer, type TestUser } from '@plat/testing';
import { reviewsService } from '../service';

let stand: MergeStand;
beforeAll(async () => {
  stand = await MergeStand.start(reviewsService, buildsService, releasesService);
});
afterEach(() => stand.removeRepositories());
afterAll(() => stand.stop());

const scene = (): ReviewScene => new ReviewScene(stand.service);
const ask = (query: string, by: TestUser = 'alice'): Promise<TestAnswer> =>
  stand.service.send(by, `GET /v1/reviews/merge-queue/statistics?${query}`);
const named = ({ targetBranch, repository }: ReviewScene, more: Record<string, string> = {}): string =>
  new URLSearchParams(defined({ targetBranch, repository: repository ?? undefined, ...more })).toString();

async function statisticsOf(
  at: ReviewScene,
  more: Record<string, string> = {},
): Promise<MergeQueueStatistics> {
  const { status, body } = await ask(named(at, more));
  expect(status).toBe(200);
  return body as unknown as MergeQueueStatistics;
}

interface Run {
  verdict: string;
  source?: string;
  /** Default: as the source; null: no merge was made. */
  merge?: string | null;
  step?: string;
  reviewId?: string;
}

async function gateRun(
  at: ReviewScene,
  { verdict, source = 'a', merge, step, reviewId }: Run,
): Promise<string> {
  const { status, body } = await stand.service.send('alice', 'POST /v1/gate-runs', {
    sourceBranch: 'topic',
    targetBranch: at.targetBranch,
    sourceCommit: source.repeat(40),
    mergeCommit: merge === null ? undefined : (merge ?? source).repeat(40),
    reviewId,
    verdict,
    failingStep: step,
    logRef: 'https://ci.example/1',
  });
  expect(status).toBe(201);
  return body.gateRunId as string;
}

const NONE = {
  entered: 0,
  promoted: 0,
  promotedByOverride: 0,
  merged: 0,
  reconciled: 0,
  gateFailed: 0,
  buildFailed: 0,
  requeued: 0,
  closed: 0,
};

describe('GET /v1/reviews/merge-queue/statistics', () => {
  describe('200', () => {
    it('a queue that never moved has zeros, no durations, and the last 30 days', async () => {
      const at = scene();
      const { since, until, ...found } = await statisticsOf(at);
      const none = { basis: 0 };
      expect(found).toEqual({
        targetBranch: at.targetBranch,
        repository: at.repository,
        outcomes: NONE,
        readyToMerge: none,
        mergeToMerged: none,
        readyToMerged: none,
        flakySteps: [],
      });
      expect(Date.parse(until) - Date.parse(since)).toBe(30 * 24 * 3600 * 1000);
    });

    it('each move is counted by what it did', async () => {
      const at = scene();
      const first = await at.green();
      await at.patch(first, { status: 'READY' });
      await at.advance();
      await at.build(first, { kind: 'GATE', successful: false });
      const second = await at.openWaiting();
      await at.comment(second);
      await at.overrideAdvance();
      await at.build(second, { successful: false });
      await at.reach('CLOSED');
      await at.reach('MERGED');
      expect((await statisticsOf(at)).outcomes).toEqual({
        entered: 2,
        promoted: 3,
        promotedByOverride: 1,
        merged: 0,
        reconciled: 1,
        gateFailed: 1,
        buildFailed: 1,
        requeued: 1,
        closed: 1,
      });
    });

    it('the durations are those of the merges: from the last entry to the promotion to the merge', async () => {
      const bundle = await (await stand.repository()).onOwnTarget();
      for (let count = 0; count < 3; count += 1) await bundle.mergeReview();
      const { targetBranch } = bundle.scene;
      // Versions 1 to 9, each move later than the one before by its version in seconds.
      await stand.service.database.query(
        `SET session_replication_role = replica;
         UPDATE reviews.queue_moves SET created_at = now() - interval '1 hour' + version * (version + 1) / 2 * interval '1 second'
          WHERE target_branch = '${targetBranch}';
         RESET session_replication_role`,
      );
      expect(await statisticsOf(bundle.scene)).toMatchObject({
        outcomes: { entered: 3, promoted: 3, merged: 3 },
        readyToMerge: { basis: 3, meanSeconds: 5, p50Seconds: 5, p95Seconds: 7.7 },
        mergeToMerged: { basis: 3, meanSeconds: 6, p50Seconds: 6, p95Seconds: 8.7 },
        readyToMerged: { basis: 3, meanSeconds: 11, p50Seconds: 11, p95Seconds: 16.4 },
      });
    }, 20_000);

    it('since and until are inclusive, and nothing outside of them counts', async () => {
      const at = scene();
      const reviewId = await at.green();
      await at.patch(reviewId, { status: 'READY' });
      await at.advance();
      const moves = await stand.service.database.query<{ at: string }>(
        `SELECT to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at FROM reviews.queue_moves
          WHERE target_branch = $1 ORDER BY version`,
        [at.targetBranch],
      );
      const readOutcomes = async (from: number, to: number) =>
        (await statisticsOf(at, { since: moves[from]!.at, until: moves[to]!.at })).outcomes;
      expect(await readOutcomes(0, 3)).toMatchObject({ entered: 1, promoted: 2, requeued: 1 });
      expect(await readOutcomes(1, 2)).toMatchObject({ entered: 0, promoted: 1, requeued: 1 });
      expect(await readOutcomes(3, 3)).toMatchObject({ entered: 0, promoted: 1, requeued: 0 });
      const later = new Date(Date.parse(moves[3]!.at) + 1000).toISOString();
      expect((await statisticsOf(at, { since: later, until: later })).outcomes).toEqual(NONE);
    });

    it('a step that failed and passed on the same source or merge commit is flaky, and no other', async () => {
      const at = scene();
      const reviewId = await at.open();
      const run = (given: Run) => gateRun(at, { reviewId, ...given });
      await run({ verdict: 'FAILED', source: '1', step: 'unit' });
      await run({ verdict: 'PASSED', source: '1', merge: '2' });
      const newest = await run({ verdict: 'INCONCLUSIVE', source: '3', merge: '2', step: 'unit' });
      await run({ verdict: 'FAILED', source: '4', step: 'unit' });
      await run({ verdict: 'FAILED', source: '4', step: 'lint' });
      await run({ verdict: 'FAILED', source: '1', step: '<img onerror=alert(1)> \u202e' });
      const { flakySteps } = await statisticsOf(at);
      expect(flakySteps).toMatchObject([
        {
          failingStep: 'unit',
          flakyRuns: 2,
          failingRuns: 3,
          lastGateRunId: newest,
          lastLogRef: 'https://ci.example/1',
        },
        { failingStep: '<img onerror=alert(1)> \u202e', flakyRuns: 1, failingRuns: 1 },
      ]);
      const old = { since: '2026-01-01T00:00:00Z', until: '2026-02-01T00:00:00Z' };
      expect((await statisticsOf(at, old)).flakySteps).toEqual([]);
    });

    it('a failure without a merge commit is not flaky: a source that has landed merges to nothing', async () => {
      const at = scene();
      const reviewId = await at.open();
      await gateRun(at, { reviewId, verdict: 'PASSED', source: '1', merge: '2' });
      await gateRun(at, { reviewId, verdict: 'FAILED', source: '1', merge: null, step: 'merge' });
      expect((await statisticsOf(at)).flakySteps).toEqual([]);
    });

    it('a run without a review belongs to the target branch, so it counts if no repository is named', async () => {
      const at = scene();
      await gateRun(at, { verdict: 'FAILED', source: '5', step: 'unit' });
      await gateRun(at, { verdict: 'PASSED', source: '5' });
      expect((await statisticsOf(at)).flakySteps).toEqual([]);
      const { body } = await ask(`targetBranch=${at.targetBranch}`);
      expect(body.flakySteps).toMatchObject([{ failingStep: 'unit', flakyRuns: 1 }]);
    });

    it('90 days are answered', async () => {
      const query = named(scene(), { since: '2026-01-01T00:00:00Z', until: '2026-04-01T00:00:00Z' });
      expect((await ask(query)).status).toBe(200);
    });

    it('another tenant counts its own moves, also from the operations tenant', async () => {
      const at = scene();
      await at.green();
      for (const by of ['mallory', 'olga'] as const) {
        expect((await ask(named(at), by)).body).toMatchObject({ outcomes: NONE });
      }
    });
  });

  describe('400', () => {
    it.each([
      ['no target branch', '', /^targetBranch/],
      [
        'more than 90 days',
        'targetBranch=a&since=2026-01-01T00:00:00Z&until=2026-04-01T00:00:01Z',
        /at most 90 days/,
      ],
      ['a since of last year alone', 'targetBranch=a&since=2020-01-01T00:00:00Z', /at most 90 days/],
      [
        'an end before the beginning',
        'targetBranch=a&since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z',
        /later than until/,
      ],
      ['a since in the future', 'targetBranch=a&since=9999-01-01T00:00:00Z', /later than until/],
      ['a day that does not exist', 'targetBranch=a&since=2026-02-30T00:00:00Z', /^since/],
      ['two ends', 'targetBranch=a&until=2026-02-01T00:00:00Z&until=2026-02-02T00:00:00Z', /^until/],
      [
        'the first day of all',
        'targetBranch=a&until=0001-01-01T00:00:00Z&since=0001-01-02T00:00:00Z',
        /later than until/,
      ],
    ])('%s is INVALID_QUERY', async (_, query, message) => {
      expect(await ask(query)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_QUERY', message: expect.stringMatching(message) as string },
      });
    });
  });

  describe('403', () => {
    it('a caller without a role is not allowed', async () => {
      expect((await ask('targetBranch=main', 'dave')).body.code).toBe('FORBIDDEN');
    });
  });

  describe('409', () => {
    it('a log of two repositories is MERGE_QUEUE_AMBIGUOUS, which names them', async () => {
      const targetBranch = `target/${randomUUID()}`;
      const repositories = ['https://git.example/acme/a', 'https://git.example/acme/b'];
      for (const repository of repositories) {
        await new ReviewScene(stand.service, repository, targetBranch).green();
      }
      expect(await ask(`targetBranch=${targetBranch}`)).toMatchObject({
        status: 409,
        body: {
          code: 'MERGE_QUEUE_AMBIGUOUS',
          details: { targetBranch, repositories, unrecordedRepositoryReviewIds: [] },
        },
      });
    });
  });
});
