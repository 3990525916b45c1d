import { randomUUID } from 'node:crypto';
import { buildsService } from '@plat/builds';
import { defined } from '@plat/contracts/core';
import type { MergeQueueStatus } from '@plat/contracts/reviews';
import { releasesService } from '@plat/releases';
import { MergeStand, ReviewScene, SOME_COMMIT, type TestAnswer, type TestUser } from '@plat/testing';
import { reviewsService } from '../service';

let stand: MergeStand;
beforeAll(async () => {
  stand = await MergeStand.start(reviewsService, buildsService, releasesService);
});
afterEach(() => stand.removeRepositories());
afterAll(() => stand.stop());

const scene = (): ReviewScene => new ReviewScene(stand.service);
const ask = (query: string, by: TestUser = 'alice'): Promise<TestAnswer> =>
  stand.service.send(by, `GET /v1/reviews/merge-queue/status?${query}`);
const named = ({ targetBranch, repository }: ReviewScene, more: Record<string, string> = {}): string =>
  new URLSearchParams(defined({ targetBranch, repository: repository ?? undefined, ...more })).toString();

async function statusOf(at: ReviewScene, more: Record<string, string> = {}): Promise<MergeQueueStatus> {
  const { status, body } = await ask(named(at, more));
  expect(status).toBe(200);
  return body as unknown as MergeQueueStatus;
}

/** Makes what the log says of a queue older. */
const age = ({ targetBranch }: ReviewScene, seconds: number): Promise<unknown> =>
  stand.service.database.query(
    `SET session_replication_role = replica;
     UPDATE reviews.queue_moves SET created_at = created_at - interval '${seconds} seconds'
      WHERE target_branch = '${targetBranch}';
     UPDATE reviews.gate_runs SET created_at = created_at - interval '${seconds} seconds',
                                   updated_at = updated_at - interval '${seconds} seconds'
      WHERE target_branch = '${targetBranch}';
     RESET session_replication_role`,
  );

/** Puts the moves of a queue a minute apart, the last one a minute ago. */
const spread = ({ targetBranch }: ReviewScene): Promise<unknown> =>
  stand.service.database.query(
    `SET session_replication_role = replica;
     UPDATE reviews.queue_moves m SET created_at = now() - (q.version - m.version + 1) * interval '1 minute'
       FROM reviews.queues q
      WHERE m.target_branch = '${targetBranch}' AND q.tenant_id = m.tenant_id AND q.target_branch = m.target_branch;
     RESET session_replication_role`,
  );

async function gateRun(at: ReviewScene, reviewId: string, verdict: string): Promise<string> {
  const { status, body } = await stand.service.send('alice', 'POST /v1/gate-runs', {
    sourceBranch: 'topic',
    targetBranch: at.targetBranch,
    sourceCommit: SOME_COMMIT,
    mergeCommit: SOME_COMMIT,
    reviewId,
    verdict,
    failingStep: verdict === 'FAILED' ? 'unit tests' : undefined,
  });
  expect(status).toBe(201);
  return body.gateRunId as string;
}

describe('GET /v1/reviews/merge-queue/status', () => {
  describe('200', () => {
    it('a queue that never moved is at version 0, with a free slot and no one in the line', async () => {
      const at = scene();
      expect(await statusOf(at)).toEqual({
        targetBranch: at.targetBranch,
        repository: at.repository,
        version: 0,
        slot: { activity: 'IDLE', health: 'ON_TIME' },
        pace: {
          basis: 0,
          measured: false,
          p50Seconds: 600,
          p95Seconds: 1200,
          lateAfterSeconds: 1200,
          stuckAfterSeconds: 3600,
        },
        entries: [],
      });
    });

    it('the slot has its review since the promotion, and the line its reviews since their entry', async () => {
      const at = scene();
      const head = await at.green();
      const [second, third] = [await at.openWaiting(), await at.openWaiting()];
      const log = await stand.service.database.query<{ review_id: string; move: string; at: string }>(
        'SELECT review_id, move, created_at AS at FROM reviews.queue_moves WHERE target_branch = $1',
        [at.targetBranch],
      );
      const since = (id: string, move: string) =>
        new Date(log.find((row) => row.review_id === id && row.move === move)!.at).getTime();
      const found = await statusOf(at);
      expect(found).toMatchObject({
        version: 4,
        slot: { review: { reviewId: head }, activity: 'NO_GATE_RUN', health: 'ON_TIME' },
        entries: [
          { reviewId: second, position: 1, estimate: { unavailable: 'TOO_FEW_MERGES' } },
          { reviewId: third, position: 2 },
        ],
      });
      expect(Date.parse(found.slot.since!)).toBe(since(head, 'promote'));
      expect(found.entries.map((entry) => Date.parse(entry.since))).toEqual([
        since(second, 'ready'),
        since(third, 'ready'),
      ]);
      expect(found.entries.map(({ reviewId }) => reviewId)).toEqual(await at.line());
    });

    it.each([
      ['RUNNING', 'GATE_RUNNING'],
      ['PASSED', 'GATE_PASSED_NOT_REPORTED'],
      ['FAILED', 'GATE_FAILED_NOT_RECORDED'],
      ['INCONCLUSIVE', 'GATE_INCONCLUSIVE'],
    ])(
      'a gate run that is %s makes the slot %s, which is the cause when it is stuck',
      async (verdict, word) => {
        const at = scene();
        const gateRunId = await gateRun(at, await at.green(), verdict);
        expect((await statusOf(at)).slot).toMatchObject({ activity: word, gateRunId, health: 'ON_TIME' });
        expect((await statusOf(at)).slot).not.toHaveProperty('cause');
        await age(at, 1300);
        // There are no merges to be late by.
        expect((await statusOf(at)).slot).toMatchObject({ activity: word, health: 'ON_TIME' });
        await age(at, 2400);
        expect((await statusOf(at)).slot).toMatchObject({ health: 'STUCK', cause: word });
      },
    );

    it('a gate run that has just begun is on time, however long its review holds the slot', async () => {
      const at = scene();
      const head = await at.green();
      await age(at, 4000);
      expect((await statusOf(at)).slot).toMatchObject({ activity: 'NO_GATE_RUN', health: 'STUCK' });
      await gateRun(at, head, 'RUNNING');
      expect((await statusOf(at)).slot).toMatchObject({ activity: 'GATE_RUNNING', health: 'ON_TIME' });
    });

    it('the newest verdict counts, a run in progress before it, and an inconclusive one only if it is alone', async () => {
      const at = scene();
      const head = await at.green();
      const activity = async (): Promise<string> => (await statusOf(at)).slot.activity;
      await gateRun(at, head, 'INCONCLUSIVE');
      expect(await activity()).toBe('GATE_INCONCLUSIVE');
      await gateRun(at, head, 'FAILED');
      await gateRun(at, head, 'INCONCLUSIVE');
      expect(await activity()).toBe('GATE_FAILED_NOT_RECORDED');
      await gateRun(at, head, 'PASSED');
      expect(await activity()).toBe('GATE_PASSED_NOT_REPORTED');
      await gateRun(at, head, 'RUNNING');
      await gateRun(at, head, 'FAILED');
      expect(await activity()).toBe('GATE_RUNNING');
    });

    it('a gate run older than the promotion says nothing of the slot', async () => {
      const at = scene();
      const waiting = await at.openWaiting();
      await gateRun(at, waiting, 'PASSED');
      await at.advance();
      expect((await statusOf(at)).slot).toMatchObject({ activity: 'NO_GATE_RUN' });
    });

    it('a head that no one advances is the cause once the slot has been free for long', async () => {
      const at = scene();
      await at.openWaiting();
      expect((await statusOf(at)).slot).toMatchObject({ activity: 'HEAD_NOT_ADVANCED', health: 'ON_TIME' });
      await age(at, 4000);
      const { slot } = await statusOf(at);
      expect(slot).toMatchObject({ health: 'STUCK', cause: 'HEAD_NOT_ADVANCED' });
      expect(slot).not.toHaveProperty('review');
    });

    it('the free slot counts from when the review before left it, not from when the head entered', async () => {
      const at = scene();
      const first = await at.green();
      await at.openWaiting();
      await age(at, 4000);
      await at.build(first, { kind: 'GATE', successful: false });
      expect((await statusOf(at)).slot).toMatchObject({ activity: 'HEAD_NOT_ADVANCED', health: 'ON_TIME' });
    });

    it('open threads are counted, and no one behind a blocked head has an estimate', async () => {
      const at = scene();
      const [head, second] = [await at.openWaiting(), await at.openWaiting()];
      await at.comment(head);
      await at.comment(head);
      const { slot, entries } = await statusOf(at);
      expect(slot).toMatchObject({ activity: 'HEAD_BLOCKED', health: 'BLOCKED', cause: 'HEAD_BLOCKED' });
      expect(entries).toMatchObject([
        { reviewId: head, blockedBy: { openThreads: 2 }, estimate: { unavailable: 'BLOCKED' } },
        { reviewId: second, estimate: { unavailable: 'HEAD_BLOCKED' } },
      ]);
      expect(entries[1]).not.toHaveProperty('blockedBy');
    });

    it('after five merges the pace and the estimates are those of the queue', async () => {
      const bundle = await (await stand.repository()).onOwnTarget();
      for (let count = 0; count < 6; count += 1) await bundle.mergeReview();
      const at = bundle.scene;
      await spread(at);
      const holder = await at.green();
      await at.openWaiting();
      const { pace, slot, entries } = await statusOf(at);
      // Each was promoted a minute after its entry, and merged a minute later.
      expect(pace).toEqual({
        basis: 6,
        measured: true,
        p50Seconds: 60,
        p95Seconds: 60,
        lateAfterSeconds: 60,
        stuckAfterSeconds: 300,
        // The sixth one's estimate rested on the five before it.
        errors: { estimates: 1, medianSeconds: 0, withinRange: 1 },
      });
      expect(slot.review!.reviewId).toBe(holder);
      const minutes = (text: string) => (Date.parse(text) - Date.parse(slot.since!)) / 60_000;
      for (const [estimate, turns] of [[slot.estimate!, 1] as const, [entries[0]!.estimate, 2] as const]) {
        expect(estimate).toMatchObject({ basis: 6, errorSeconds: 0 });
        for (const time of [estimate.earliest!, estimate.likely!, estimate.latest!]) {
          expect(minutes(time)).toBeGreaterThan(turns * 2 - 1);
          expect(minutes(time)).toBeLessThan(turns * 2 + 2);
        }
      }
      await age(at, 200);
      expect((await statusOf(at)).slot).toMatchObject({
        health: 'LATE',
        estimate: { unavailable: 'OVERDUE' },
      });
    }, 20_000);

    it('a page has limit entries, and nextCursor until the last, whose positions go on', async () => {
      const at = scene();
      const line = [await at.openWaiting(), await at.openWaiting(), await at.openWaiting()];
      const first = await statusOf(at, { limit: '2' });
      expect(first.entries.map(({ reviewId }) => reviewId)).toEqual(line.slice(0, 2));
      const second = await statusOf(at, { limit: '2', cursor: first.nextCursor! });
      expect(second.entries).toMatchObject([{ reviewId: line[2], position: 3 }]);
      expect(second).not.toHaveProperty('nextCursor');
    });

    it('without a name it is the only repository that waits, with the rows that record none, as advance has it', async () => {
      const at = scene();
      const unrecorded = new ReviewScene(stand.service, null, at.targetBranch);
      const [mine, other] = [await at.openWaiting(), await unrecorded.openWaiting()];
      const { body } = await ask(`targetBranch=${at.targetBranch}`);
      expect(body).toMatchObject({
        repository: at.repository,
        entries: [{ reviewId: mine }, { reviewId: other, position: 2 }],
      });
      expect((await statusOf(at)).entries).toMatchObject([{ reviewId: mine }]);
      expect((await at.advance({ repository: undefined })).body.reviewId).toBe(mine);
    });

    it('a hostile name is answered as it is', async () => {
      const at = scene();
      const name = `<img onerror=alert(1)> \u001b[31m \u202e ${'é'.repeat(400)}`;
      await at.green({ name });
      expect((await statusOf(at)).slot.review!.name).toBe(name);
    });

    it('has an entity tag, which a move changes', async () => {
      const at = scene();
      const etag = async (known?: string) => {
        const response = await fetch(`${stand.service.url}/v1/reviews/merge-queue/status?${named(at)}`, {
          headers: defined({ authorization: await stand.service.bearer('alice'), 'if-none-match': known }),
        });
        return { status: response.status, tag: response.headers.get('etag')! };
      };
      const { tag } = await etag();
      expect(await etag(tag)).toMatchObject({ status: 304 });
      await at.openWaiting();
      expect(await etag(tag)).toMatchObject({ status: 200 });
    });

    it('another tenant sees its own queue, also from the operations tenant', async () => {
      const at = scene();
      await at.green();
      for (const by of ['mallory', 'olga'] as const) {
        expect((await ask(named(at), by)).body).toMatchObject({ version: 0, entries: [] });
      }
    });
  });

  describe('400', () => {
    it.each([
      ['no target branch', ''],
      ['an empty target branch', 'targetBranch='],
      ['a target branch that git does not know', 'targetBranch=a..b'],
      ['a control character', 'targetBranch=a%1bb'],
      ['NUL', 'targetBranch=a%00b'],
      ['two target branches', 'targetBranch=a&targetBranch=b'],
      ['two repositories', 'targetBranch=a&repository=x&repository=y'],
      ['a cursor that none gave', 'targetBranch=a&cursor=x'],
      ['a cursor beyond all numbers', `targetBranch=a&cursor=1-${'9'.repeat(19)}`],
      ['a limit in words', 'targetBranch=a&limit=many'],
    ])('%s is INVALID_QUERY', async (_, query) => {
      expect(await ask(query)).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY' } });
    });

    it('a repository that names none is INVALID_REPOSITORY', async () => {
      const answer = await ask(`targetBranch=main&repository=${encodeURIComponent('https://git.example')}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REPOSITORY' } });
    });
  });

  describe('403', () => {
    it('a caller without a role is not allowed', async () => {
      expect((await ask('targetBranch=main', 'dave')).body.code).toBe('FORBIDDEN');
    });
  });

  describe('409', () => {
    it('two repositories that wait are MERGE_QUEUE_AMBIGUOUS, with the details of advance', async () => {
      const targetBranch = `target/${randomUUID()}`;
      const scenes = ['a', 'b'].map(
        (name) => new ReviewScene(stand.service, `https://git.example/acme/${name}`, targetBranch),
      );
      for (const at of scenes) await at.openWaiting();
      const refused = await scenes[0]!.advance({ repository: undefined });
      expect(await ask(`targetBranch=${targetBranch}`)).toMatchObject({ status: 409, body: refused.body });
    });
  });
});
