import { randomUUID } from 'node:crypto';
import { buildsService } from '@plat/builds';
import { REVIEW_CAUSES } from '@plat/contracts/core';
import { releasesService } from '@plat/releases';
import {
  MergeStand,
  NEW_BUILD_ID,
  ReviewScene,
  TEST_USERS,
  type TestAnswer,
  type TestUser,
} from '@plat/testing';
import { reviewsService } from '../service';

let stand: MergeStand;
beforeAll(async () => {
  stand = await MergeStand.start(reviewsService, buildsService, releasesService);
});
afterEach(() => stand.removeRepositories());
afterAll(() => stand.stop());

const { alice, bob } = TEST_USERS;
const NIL = '00000000-0000-0000-0000-000000000000';

interface Event {
  cause: string;
  queueVersion?: number;
}

const scene = (): ReviewScene => new ReviewScene(stand.service);
const history = (reviewId: string, query = '', by: TestUser = 'alice'): Promise<TestAnswer> =>
  stand.service.send(by, `GET /v1/reviews/${reviewId}/history${query}`);
const events = async (reviewId: string): Promise<Event[]> => {
  const { status, body } = await history(reviewId);
  expect(status).toBe(200);
  return body.events as Event[];
};

/** A review with any number of moves, because each failed build moves it again. */
async function openAndFail(times: number): Promise<string> {
  const at = scene();
  const reviewId = await at.open();
  for (let count = 0; count < times; count += 1) await at.build(reviewId, { successful: false });
  return reviewId;
}

describe('GET /v1/reviews/{review_id}/history', () => {
  describe('200', () => {
    it('a review begins with CREATED, by its author, from no status and outside of the queue', async () => {
      const reviewId = await scene().open();
      const { createdAt } = await scene().review(reviewId);
      expect((await history(reviewId)).body).toEqual({
        events: [
          { at: createdAt, to: 'OPEN', cause: 'CREATED', actorUserId: alice.userId, actorUsername: 'alice' },
        ],
      });
    });

    it('a green build is BUILD_SUCCEEDED, and a promotion that follows it is PROMOTED; newest first', async () => {
      const at = scene();
      const reviewId = await at.open();
      const buildId = await at.build(reviewId);
      const by = { actorUserId: alice.userId, actorUsername: 'alice' };
      const time = expect.stringMatching(/^\d{4}-.*Z$/) as unknown;
      expect(await events(reviewId)).toEqual([
        { at: time, from: 'READY', to: 'MERGE', cause: 'PROMOTED', ...by, ticket: 1, queueVersion: 2 },
        {
          at: time,
          from: 'OPEN',
          to: 'READY',
          cause: 'BUILD_SUCCEEDED',
          ...by,
          buildId,
          ticket: 1,
          queueVersion: 1,
        },
        { at: time, to: 'OPEN', cause: 'CREATED', ...by },
      ]);
    });

    it('a red RECORDED build is BUILD_FAILED, a red GATE build GATE_FAILED, each with its build', async () => {
      const at = scene();
      const reviewId = await at.green();
      const gate = await at.build(reviewId, { kind: 'GATE', successful: false });
      const recorded = await at.build(reviewId, { successful: false });
      expect((await events(reviewId)).slice(0, 2)).toMatchObject([
        { from: 'FAILED', to: 'FAILED', cause: 'BUILD_FAILED', buildId: recorded },
        { from: 'MERGE', to: 'FAILED', cause: 'GATE_FAILED', buildId: gate },
      ]);
    });

    it('a PATCH that names a build is caused by that build', async () => {
      const at = scene();
      const reviewId = await at.open();
      const buildId = await at.build(reviewId, { kind: 'GATE' });
      await at.patch(reviewId, { status: 'READY', buildId });
      expect((await events(reviewId))[0]).toMatchObject({ to: 'READY', cause: 'BUILD_SUCCEEDED', buildId });
    });

    it('the actor is who moved the review, not its author', async () => {
      const at = scene();
      const reviewId = await at.openWaiting();
      expect((await at.advance({}, 'bob')).status).toBe(200);
      expect((await events(reviewId))[0]).toMatchObject({
        cause: 'PROMOTED',
        actorUserId: bob.userId,
        actorUsername: 'bob',
      });
    });

    it('an override is PROMOTED_BY_OVERRIDE, with its reason as it was given', async () => {
      const at = scene();
      const reviewId = await at.open();
      await at.comment(reviewId);
      await at.build(reviewId);
      const reason = '<img onerror=alert(1)> \u001b[31mred\u001b[0m \u202egnp.exe\n' + 'é'.repeat(512);
      expect((await at.overrideAdvance({ reason })).status).toBe(200);
      expect((await events(reviewId))[0]).toMatchObject({ cause: 'PROMOTED_BY_OVERRIDE', reason });
    });

    it('a requeue is REQUEUED, with the new ticket, and a closing is CLOSED', async () => {
      const at = scene();
      const reviewId = await at.green();
      await at.patch(reviewId, { status: 'READY' });
      await at.patch(reviewId, { status: 'CLOSED' });
      expect((await events(reviewId)).slice(0, 2)).toMatchObject([
        { from: 'READY', to: 'CLOSED', cause: 'CLOSED', ticket: 2, queueVersion: 4 },
        { from: 'MERGE', to: 'READY', cause: 'REQUEUED', ticket: 2, queueVersion: 3 },
      ]);
    });

    it('a merge through the queue is MERGED, with the GATE build that was accepted', async () => {
      const bundle = await stand.repository();
      const { id, buildId } = await bundle.openGated();
      expect((await bundle.report(id, buildId)).status).toBe(200);
      expect((await events(id))[0]).toMatchObject({ from: 'MERGE', to: 'MERGED', cause: 'MERGED', buildId });
    });

    it('a merge without the queue is RECONCILED, without a build', async () => {
      const bundle = await stand.repository();
      const { id, sourceBranch } = await bundle.proposeReview();
      await bundle.git.switch('main');
      await bundle.git.merge(sourceBranch);
      expect((await bundle.report(id)).status).toBe(200);
      const [last] = await events(id);
      expect(last).toMatchObject({ from: 'OPEN', to: 'MERGED', cause: 'RECONCILED' });
      expect(last).not.toHaveProperty('buildId');
    });

    it('the database permits the causes of the contract and no other', async () => {
      const [log] = await stand.service.database.query<{ rule: string }>(
        `SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint WHERE conname = 'queue_moves_cause'`,
      );
      const taken = log!.rule.match(/(?<=')[A-Z_]+(?=')/g) ?? [];
      expect(new Set(['CREATED', ...taken])).toEqual(new Set(REVIEW_CAUSES));
    });

    it('a page has `limit` events, and a nextCursor unless it is the last', async () => {
      const reviewId = await openAndFail(4);
      const seen: (number | undefined)[] = [];
      let query = '?limit=2';
      for (let pages = 0; query !== '' && pages < 5; pages += 1) {
        const { body } = await history(reviewId, query);
        const page = body as { events: Event[]; nextCursor?: string };
        expect(page.events.every((event) => 'from' in event || event.cause === 'CREATED')).toBe(true);
        seen.push(...page.events.map(({ queueVersion }) => queueVersion));
        query = page.nextCursor === undefined ? '' : `?limit=2&cursor=${page.nextCursor}`;
      }
      expect(seen).toEqual([4, 3, 2, 1, undefined]);
    });

    it('a page that ends with the creation is the last one', async () => {
      const { body } = await history(await openAndFail(1), '?limit=2');
      expect(body.events).toHaveLength(2);
      expect(body).not.toHaveProperty('nextCursor');
    });

    it('a page has 50 events by default, 200 at most', async () => {
      const reviewId = await scene().open();
      await stand.service.database.query(
        `SELECT builds.report_review_build(tenancy.enter_as(identity.issue_proof(r.tenant_id, r.author_user_id,
                    identity.caller_digest(NULL, NULL, NULL)), false),
                  r.review_id, ${NEW_BUILD_ID}, 'RECORDED', false, repeat('a', 40), '1.0.0', NULL, NULL)
           FROM reviews.reviews r, generate_series(1, 205) WHERE r.review_id = $1`,
        [reviewId],
      );
      const sizes = ['', '?limit=0', '?limit=200', '?limit=100000'].map(
        async (query) => ((await history(reviewId, query)).body.events as Event[]).length,
      );
      expect(await Promise.all(sizes)).toEqual([50, 50, 200, 200]);
    });

    it('a caller of the operations tenant reads across tenants, with the actors’ names', async () => {
      const reviewId = await scene().green();
      const own = await history(reviewId);
      expect(await history(reviewId, '', 'olga')).toMatchObject({ status: 200, body: own.body });
    });
  });

  describe('400', () => {
    it('an id that is no UUID is INVALID_PATH_ID', async () => {
      expect(await history('x')).toMatchObject({ status: 400, body: { code: 'INVALID_PATH_ID' } });
    });

    it.each(['cursor=x', 'cursor=-1', `cursor=${'9'.repeat(19)}`, 'limit=many'])(
      '%s is INVALID_QUERY',
      async (query) => {
        const answer = await history(await scene().open(), `?${query}`);
        expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY' } });
      },
    );
  });

  describe('403', () => {
    it('a caller without a role is not allowed', async () => {
      expect((await history(await scene().open(), '', 'dave')).body.code).toBe('FORBIDDEN');
    });
  });

  describe('404', () => {
    it("another tenant's review is answered exactly as one that exists nowhere", async () => {
      const foreign = await history(await scene().green(), '', 'mallory');
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(foreign.body).toEqual((await history(randomUUID(), '', 'mallory')).body);
      expect(foreign.body).toEqual((await history(NIL, '', 'mallory')).body);
    });
  });
});
