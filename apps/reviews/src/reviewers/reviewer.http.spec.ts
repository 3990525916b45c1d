import { randomUUID } from 'node:crypto';
import {
  ReviewScene,
  startTestService,
  TEST_TENANTS,
  TEST_USERS,
  type TestAnswer,
  type TestService,
  type TestUser,
} from '@plat/testing';
import { reviewsService } from '../service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(reviewsService);
});
afterAll(() => service.stop());

const NIL = '00000000-0000-0000-0000-000000000000';
const { alice, bob, ci, mallory, olga } = TEST_USERS;

const assign = (
  reviewId: string,
  userId: unknown = bob.userId,
  by: TestUser = 'alice',
): Promise<TestAnswer> => service.send(by, `POST /v1/reviews/${reviewId}/reviewers`, { userId });
const list = (reviewId: string, by: TestUser = 'alice'): Promise<TestAnswer> =>
  service.send(by, `GET /v1/reviews/${reviewId}/reviewers`);
const remove = (reviewId: string, userId: string, by: TestUser = 'alice'): Promise<TestAnswer> =>
  service.send(by, `DELETE /v1/reviews/${reviewId}/reviewers/${userId}`);

const open = (): Promise<string> => new ReviewScene(service).open();
const usersOf = ({ body }: TestAnswer): string[] =>
  (body as { userId: string }[]).map(({ userId }) => userId);

describe('GET /v1/reviews/{review_id}/reviewers', () => {
  describe('200', () => {
    it('a review has zero or more reviewers: none is an empty list', async () => {
      expect(await list(await open())).toMatchObject({ status: 200, body: [] });
    });

    it('ascending by createdAt, userId', async () => {
      const reviewId = await open();
      for (const userId of [ci.userId, alice.userId, bob.userId]) await assign(reviewId, userId);
      expect(usersOf(await list(reviewId))).toEqual([ci.userId, alice.userId, bob.userId]);
      const moment = '2026-01-01T00:00:00Z';
      await service.database.query('UPDATE reviews.reviewers SET created_at = $2 WHERE review_id = $1', [
        reviewId,
        moment,
      ]);
      expect(usersOf(await list(reviewId))).toEqual([alice.userId, bob.userId, ci.userId]);
    });

    it("shows the reviewers of this review alone, to everyone who may read in the review's tenant", async () => {
      const reviewId = await open();
      await assign(reviewId);
      await assign(await open(), ci.userId);
      expect(usersOf(await list(reviewId, 'carol'))).toEqual([bob.userId]);
    });

    it('a caller of the operations tenant reads across tenants', async () => {
      const reviewId = await open();
      const { body } = await assign(reviewId);
      expect(await list(reviewId, 'olga')).toMatchObject({ status: 200, body: [body] });
    });
  });

  describe('400', () => {
    it('an id that is no UUID is INVALID_PATH_ID', async () => {
      expect(await list('x')).toMatchObject({ status: 400, body: { code: 'INVALID_PATH_ID' } });
    });
  });

  describe('403', () => {
    it('a caller without a role is not allowed', async () => {
      expect((await list(await open(), 'dave')).body.code).toBe('FORBIDDEN');
    });
  });

  describe('404', () => {
    it("another tenant's review is answered exactly as one that exists nowhere", async () => {
      const reviewId = await open();
      await assign(reviewId);
      const foreign = await list(reviewId, 'mallory');
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(foreign.body).toEqual((await list(randomUUID(), 'mallory')).body);
      expect(foreign.body).toEqual((await list(NIL, 'mallory')).body);
    });
  });
});

describe('POST /v1/reviews/{review_id}/reviewers', () => {
  describe('201', () => {
    it('answers the assignment', async () => {
      const reviewId = await open();
      const { status, body } = await assign(reviewId);
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          tenantId: TEST_TENANTS.acme.tenantId,
          reviewId,
          userId: bob.userId,
          createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
          updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
        },
      });
    });

    it('the author may be assigned, and ids are taken in any case', async () => {
      const reviewId = await open();
      const answer = await assign(reviewId.toUpperCase(), alice.userId.toUpperCase());
      expect(answer).toMatchObject({ status: 201, body: { reviewId, userId: alice.userId } });
    });

    it('server-owned fields of the body are dropped', async () => {
      const reviewId = await open();
      const claimed = { reviewId: randomUUID(), tenantId: randomUUID(), createdAt: '2020-01-01T00:00:00Z' };
      const { body } = await service.send('alice', `POST /v1/reviews/${reviewId}/reviewers`, {
        ...claimed,
        userId: bob.userId,
      });
      expect(body).toMatchObject({ reviewId, tenantId: TEST_TENANTS.acme.tenantId });
      expect(body.createdAt).not.toBe(claimed.createdAt);
    });

    it('gates no status transition: the review stays as it is', async () => {
      const scene = new ReviewScene(service);
      const reviewId = await scene.open();
      const before = await scene.review(reviewId);
      await assign(reviewId);
      expect(await scene.review(reviewId)).toEqual(before);
    });

    it('a review that was closed can still be given a reviewer', async () => {
      expect((await assign(await new ReviewScene(service).reach('CLOSED'))).status).toBe(201);
    });
  });

  describe('400', () => {
    it.each([undefined, null, '', ' ', 'bob', 7, `${bob.userId} `])(
      'a userId that is %j is INVALID_BODY with the field',
      async (userId) => {
        const reviewId = await open();
        const answer = await service.send('alice', `POST /v1/reviews/${reviewId}/reviewers`, { userId });
        expect(answer).toMatchObject({
          status: 400,
          body: { code: 'INVALID_BODY', details: { field: 'userId' } },
        });
      },
    );

    it('the path id is judged before the body', async () => {
      expect((await assign('x', 'y')).body.code).toBe('INVALID_PATH_ID');
    });
  });

  describe('403', () => {
    it.each(['carol', 'ci', 'dave'] as const)(
      '%s, whose roles do not permit it, is not allowed',
      async (who) => {
        const reviewId = await open();
        expect((await assign(reviewId, bob.userId, who)).body.code).toBe('FORBIDDEN');
        expect(usersOf(await list(reviewId))).toEqual([]);
      },
    );
  });

  describe('404', () => {
    it('a cross-tenant userId is refused, exactly as one that exists nowhere', async () => {
      const reviewId = await open();
      const foreign = await assign(reviewId, mallory.userId);
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(foreign.body).toEqual((await assign(reviewId, randomUUID())).body);
      expect(usersOf(await list(reviewId))).toEqual([]);
    });

    it("another tenant's review is answered exactly as one that exists nowhere", async () => {
      const reviewId = await open();
      const foreign = await assign(reviewId, mallory.userId, 'mallory');
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(foreign.body).toEqual((await assign(randomUUID(), mallory.userId, 'mallory')).body);
    });

    it.each([
      ['its own user', olga.userId],
      ["the tenant's user", bob.userId],
    ])('a caller of the operations tenant cannot write across: %s on a foreign review', async (_, userId) => {
      const reviewId = await open();
      expect((await assign(reviewId, userId, 'olga')).status).toBe(404);
      expect(usersOf(await list(reviewId))).toEqual([]);
    });
  });

  describe('409', () => {
    it('a reviewer already assigned to the review', async () => {
      const reviewId = await open();
      const { body } = await assign(reviewId);
      expect(await assign(reviewId)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      expect((await list(reviewId)).body).toEqual([body]);
    });

    it('assigned by several at once, one is answered 201 and the others 409', async () => {
      const reviewId = await open();
      const answers = await Promise.all(Array.from({ length: 5 }, () => assign(reviewId)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409]);
    });
  });
});

describe('DELETE /v1/reviews/{review_id}/reviewers/{user_id}', () => {
  describe('204', () => {
    it('takes the assignment back, with no body; the user can be assigned again', async () => {
      const reviewId = await open();
      await assign(reviewId);
      await assign(reviewId, ci.userId);
      expect(await remove(reviewId, bob.userId)).toMatchObject({ status: 204, body: undefined });
      expect(usersOf(await list(reviewId))).toEqual([ci.userId]);
      expect((await assign(reviewId)).status).toBe(201);
    });
  });

  describe('400', () => {
    it.each([
      ['review_id', 'x', bob.userId],
      ['user_id', NIL, 'x'],
    ])('a %s that is no UUID is INVALID_PATH_ID and named', async (parameter, reviewId, userId) => {
      const { status, body } = await remove(reviewId, userId);
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { code: 'INVALID_PATH_ID', details: { parameter, value: 'x' } },
      });
    });
  });

  describe('403', () => {
    it('a caller without the permission is not allowed', async () => {
      const reviewId = await open();
      await assign(reviewId);
      expect((await remove(reviewId, bob.userId, 'carol')).body.code).toBe('FORBIDDEN');
      expect(usersOf(await list(reviewId))).toEqual([bob.userId]);
    });
  });

  describe('404', () => {
    it('a user who is not assigned, and one who was removed already', async () => {
      const reviewId = await open();
      expect((await remove(reviewId, bob.userId)).status).toBe(404);
      await assign(reviewId);
      await remove(reviewId, bob.userId);
      expect((await remove(reviewId, bob.userId)).body.code).toBe('NOT_FOUND');
    });

    it.each(['mallory', 'olga'] as const)(
      '%s of another tenant is answered as if there were no assignment, and takes nothing back',
      async (who) => {
        const reviewId = await open();
        await assign(reviewId);
        const foreign = await remove(reviewId, bob.userId, who);
        expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
        expect(foreign.body).toEqual((await remove(randomUUID(), bob.userId, who)).body);
        expect(usersOf(await list(reviewId))).toEqual([bob.userId]);
      },
    );
  });
});

describe('GET /v1/reviews, filtered by reviewerUserId', () => {
  const reviewsOf = async (query: string, by: TestUser = 'alice'): Promise<string[]> => {
    const { body } = await service.send(by, `GET /v1/reviews?${query}`);
    return (body as { reviewId: string }[]).map(({ reviewId }) => reviewId);
  };

  it('lists the reviews that the user is assigned to, newest first, together with the other filters', async () => {
    const scene = new ReviewScene(service);
    const [first, second, other] = [await scene.open(), await scene.open(), await scene.open()];
    await assign(first);
    await assign(second);
    await assign(second, ci.userId);
    await assign(other, ci.userId);
    const target = `targetBranch=${scene.targetBranch}`;
    expect(await reviewsOf(`${target}&reviewerUserId=${bob.userId}`)).toEqual([second, first]);
    expect(await reviewsOf(`${target}&reviewerUserId=${ci.userId}&status=OPEN`)).toEqual([other, second]);
    expect(await reviewsOf(`${target}&reviewerUserId=${ci.userId}&status=READY`)).toEqual([]);
    expect(await reviewsOf(`${target}&reviewerUserId=${randomUUID()}`)).toEqual([]);
    await remove(second, bob.userId);
    expect(await reviewsOf(`${target}&reviewerUserId=${bob.userId}`)).toEqual([first]);
  });

  it("shows another tenant's reviewers to no one but a caller of the operations tenant", async () => {
    const scene = new ReviewScene(service);
    const reviewId = await scene.open();
    await assign(reviewId);
    const query = `targetBranch=${scene.targetBranch}&reviewerUserId=${bob.userId}`;
    expect(await reviewsOf(query, 'mallory')).toEqual([]);
    expect(await reviewsOf(query, 'olga')).toEqual([reviewId]);
  });
});
