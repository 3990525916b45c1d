import { buildsService } from '@plat/builds';
import {
  NEW_BUILD_ID,
  ReviewScene,
  SOME_COMMIT,
  startTestService,
  TEST_TENANTS,
  TEST_USERS,
  type TestService,
} from '@plat/testing';
import { reviewsService } from '../service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(reviewsService, buildsService);
});
afterAll(() => service.stop());

type Answered = Record<string, unknown>;

/** More than any page of the API holds. */
const MANY = 250;
const RFC_3339_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const { tenantId } = TEST_TENANTS.acme;
const sourceBranch = 'feature/7-clock';

const listReviews = async (line: string): Promise<Answered[]> =>
  (await service.send('alice', `GET /v1/reviews${line}` as 'GET /')).body as Answered[];

/** Each route that answers a review, with a request for one. */
const ANSWERS: [string, (scene: ReviewScene) => Promise<Answered>][] = [
  ['POST /v1/reviews', async (scene) => (await scene.propose({ sourceBranch })).body as Answered],
  ['GET /v1/reviews/{review_id}', async (scene) => scene.review(await scene.open({ sourceBranch }))],
  [
    'GET /v1/reviews',
    async (scene) => {
      await scene.open({ sourceBranch });
      return (await listReviews(`?targetBranch=${scene.targetBranch}`))[0]!;
    },
  ],
  [
    'GET /v1/reviews/merge-queue',
    async (scene) => {
      await scene.openWaiting({ sourceBranch });
      return (await listReviews(`/merge-queue?targetBranch=${scene.targetBranch}`))[0]!;
    },
  ],
  [
    'POST /v1/reviews/merge-queue/advance',
    async (scene) => {
      await scene.openWaiting({ sourceBranch });
      return (await scene.advance()).body as Answered;
    },
  ],
  [
    'POST /v1/reviews/merge-queue/override-advance',
    async (scene) => {
      await scene.openWaiting({ sourceBranch });
      return (await scene.overrideAdvance()).body as Answered;
    },
  ],
  [
    'PATCH /v1/reviews/{review_id}/status',
    async (scene) =>
      (await scene.patch(await scene.green({ sourceBranch }), { status: 'READY' })).body as Answered,
  ],
];

describe('a review in the answer of any route', () => {
  it.each(ANSWERS)('names its issue, INFERRED from the branch: %s', async (_, answer) => {
    expect(await answer(new ReviewScene(service))).toMatchObject({
      sourceBranch,
      issueRef: '7',
      issueRefSource: 'INFERRED',
    });
  });

  it.each(ANSWERS)('equals the answer of GET /v1/reviews/{review_id}: %s', async (_, answer) => {
    const scene = new ReviewScene(service);
    const answered = await answer(scene);
    expect(answered).toEqual(await scene.review(answered.reviewId as string));
  });

  it.each(ANSWERS)('has its times in RFC 3339 UTC and no field that is null: %s', async (_, answer) => {
    const answered = await answer(new ReviewScene(service));
    expect(answered.createdAt).toMatch(RFC_3339_UTC);
    expect(answered.updatedAt).toMatch(RFC_3339_UTC);
    expect(Object.values(answered)).not.toContain(null);
  });
});

describe('a review that others move', () => {
  it('keeps its author: authorUserId "never changes"', async () => {
    const scene = new ReviewScene(service);
    const id = await scene.open();
    await scene.report(id, {}, 'ci');
    await scene.patch(id, { status: 'READY', authorUserId: TEST_USERS.bob.userId }, 'bob');
    const { body } = await scene.patch(id, { status: 'CLOSED' }, 'bob');
    expect(body).toMatchObject({ status: 'CLOSED', authorUserId: TEST_USERS.alice.userId });
  });

  it('keeps createdAt, and updatedAt is the time of the last move', async () => {
    const scene = new ReviewScene(service);
    const opened = (await scene.propose()).body as { reviewId: string; createdAt: string; updatedAt: string };
    await scene.build(opened.reviewId);
    const moved = await scene.review(opened.reviewId);
    expect(moved.createdAt).toBe(opened.createdAt);
    expect(moved.updatedAt! > opened.updatedAt).toBe(true);
  });
});

describe('working sets', () => {
  it('"Listing of reviews is unpaginated": all of them, in one answer, whatever limit or cursor says', async () => {
    const { targetBranch } = new ReviewScene(service);
    await service.database.query(
      `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, source_branch, target_branch)
       SELECT $1, gen_random_uuid(), $2, $3 || n, 's' || n, $3 FROM generate_series(1, $4::int) n`,
      [tenantId, TEST_USERS.alice.userId, targetBranch, MANY],
    );
    expect(await listReviews(`?targetBranch=${targetBranch}&limit=10&cursor=x`)).toHaveLength(MANY);
  });

  it('reviews created at the same time are listed by reviewId, the greatest first', async () => {
    const { targetBranch } = new ReviewScene(service);
    await service.database.query(
      `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, source_branch, target_branch, created_at)
       SELECT $1, gen_random_uuid(), $2, $3 || n, 's' || n, $3, '2026-01-01Z' FROM generate_series(1, 20) n`,
      [tenantId, TEST_USERS.alice.userId, targetBranch],
    );
    const ids = (await listReviews(`?targetBranch=${targetBranch}`)).map(({ reviewId }) => reviewId);
    expect(ids).toHaveLength(20);
    expect(ids).toEqual([...ids].sort().reverse());
  });

  it('"Listing of a review\'s builds is unpaginated"', async () => {
    const id = await new ReviewScene(service).open();
    await service.database.query(
      `INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, kind, successful, commit_id, version)
       SELECT r.tenant_id, ${NEW_BUILD_ID}, r.review_id, r.name, 'RECORDED', true, $2, '1.0.0'
         FROM reviews.reviews r, generate_series(1, $3::int) WHERE r.review_id = $1`,
      [id, SOME_COMMIT, MANY],
    );
    expect(await listReviews(`/${id}/builds?limit=10`)).toHaveLength(MANY);
  });

  it('"Listing of reviewers is unpaginated"', async () => {
    const id = await new ReviewScene(service).open();
    await service.database.query(
      `WITH enrolled AS (
         INSERT INTO identity.users (tenant_id, user_id, username)
         SELECT $1, gen_random_uuid(), 'reviewer ' || n FROM generate_series(1, $3::int) n RETURNING tenant_id, user_id)
       INSERT INTO reviews.reviewers (tenant_id, review_id, user_id) SELECT tenant_id, $2, user_id FROM enrolled`,
      [tenantId, id, MANY],
    );
    expect(await listReviews(`/${id}/reviewers?limit=10`)).toHaveLength(MANY);
  });
});
