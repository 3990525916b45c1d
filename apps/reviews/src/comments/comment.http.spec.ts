import { randomUUID } from 'node:crypto';
import { buildsService } from '@plat/builds';
import {
  ReviewScene,
  SOME_COMMIT,
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
  service = await startTestService(reviewsService, buildsService);
});
afterAll(() => service.stop());

const ADDRESS = { commitId: SOME_COMMIT, filePath: 'src/clock.ts', line: 12 };
const ROOT = { ...ADDRESS, body: 'why?' };

const write = (reviewId: string, body: object = {}, by: TestUser = 'alice'): Promise<TestAnswer> =>
  service.send(by, `POST /v1/reviews/${reviewId}/comments`, { ...ROOT, ...body });
const list = (reviewId: string, by: TestUser = 'alice'): Promise<TestAnswer> =>
  service.send(by, `GET /v1/reviews/${reviewId}/comments`);
const setStatus = (
  reviewId: string,
  commentId: string,
  status: unknown,
  by: TestUser = 'alice',
): Promise<TestAnswer> =>
  service.send(by, `PATCH /v1/reviews/${reviewId}/comments/${commentId}/status`, { status });

const open = (): Promise<string> => new ReviewScene(service).open();
/** A review with one thread of a user's. */
async function thread(by: TestUser = 'alice'): Promise<{ reviewId: string; rootId: string }> {
  const reviewId = await open();
  const { body } = await write(reviewId, {}, by);
  return { reviewId, rootId: body.commentId as string };
}

describe('GET /v1/reviews/{review_id}/comments', () => {
  describe('200', () => {
    it('a review no one has commented on has an empty list', async () => {
      expect(await list(await open())).toMatchObject({ status: 200, body: [] });
    });

    it('by commit, file, line, createdAt', async () => {
      const reviewId = await open();
      const later = 'b'.repeat(40);
      const texts: [string, object][] = [
        ['5', { commitId: later }],
        ['4', { filePath: 'src/z.ts', line: 1 }],
        ['3', { line: 100 }],
        ['1', { line: 9 }],
      ];
      for (const [body, address] of texts) await write(reviewId, { ...address, body });
      const { body: comments } = await list(reviewId);
      const root = (comments as { commentId: string; line: number }[])[0]!;
      await write(reviewId, { line: 9, body: '2', parentCommentId: root.commentId }, 'bob');
      const bodies = ((await list(reviewId)).body as { body: string }[]).map(({ body }) => body);
      expect(bodies).toEqual(['1', '2', '3', '4', '5']);
    });

    it('shows the comments of this review alone; a caller of the operations tenant reads them too', async () => {
      const { reviewId, rootId } = await thread();
      await thread();
      for (const reader of ['carol', 'olga'] as const) {
        const { body } = await list(reviewId, reader);
        expect((body as { commentId: string }[]).map(({ commentId }) => commentId)).toEqual([rootId]);
      }
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
      const { reviewId } = await thread();
      const foreign = await list(reviewId, 'mallory');
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(foreign.body).toEqual((await list(randomUUID(), 'mallory')).body);
    });
  });
});

describe('POST /v1/reviews/{review_id}/comments', () => {
  describe('201', () => {
    it('a root comment opens a thread, by the caller', async () => {
      const reviewId = await open();
      const { status, body } = await write(reviewId, {}, 'bob');
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          commentId: expect.any(String) as unknown,
          tenantId: TEST_TENANTS.acme.tenantId,
          reviewId,
          creatorUserId: TEST_USERS.bob.userId,
          status: 'OPEN',
          ...ROOT,
          createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
          updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
        },
      });
    });

    it("a reply repeats its root's address and points at it; it has no status of its own", async () => {
      const { reviewId, rootId } = await thread();
      const { status, body } = await write(reviewId, { parentCommentId: rootId.toUpperCase() }, 'bob');
      expect(status).toBe(201);
      expect(body).toMatchObject({
        ...ADDRESS,
        parentCommentId: rootId,
        creatorUserId: TEST_USERS.bob.userId,
      });
      expect(body).not.toHaveProperty('status');
      expect(await write(reviewId, { parentCommentId: rootId })).toMatchObject({ status: 201 });
    });

    it('another line, file, commit or review has a thread of its own', async () => {
      const { reviewId } = await thread();
      for (const address of [{ line: 13 }, { filePath: 'src/other.ts' }, { commitId: 'b'.repeat(40) }]) {
        expect((await write(reviewId, address)).status).toBe(201);
      }
      expect((await write(await open())).status).toBe(201);
    });

    it('server-owned fields of the body are dropped', async () => {
      const claimed = { commentId: randomUUID(), creatorUserId: TEST_USERS.bob.userId, status: 'CLOSED' };
      const { body } = await write(await open(), { ...claimed, reviewId: randomUUID() });
      expect(body).toMatchObject({ creatorUserId: TEST_USERS.alice.userId, status: 'OPEN' });
      expect(body.commentId).not.toBe(claimed.commentId);
    });

    it('a closed thread can still be replied to, and stays closed', async () => {
      const { reviewId, rootId } = await thread();
      await setStatus(reviewId, rootId, 'CLOSED');
      expect((await write(reviewId, { parentCommentId: rootId })).status).toBe(201);
      expect((await list(reviewId)).body[0]).toMatchObject({ commentId: rootId, status: 'CLOSED' });
    });

    it('a body of 8 KiB is kept as it is', async () => {
      const body = 'ä'.repeat(4 * 1024);
      expect((await write(await open(), { body })).body.body).toBe(body);
    });
  });

  describe('400', () => {
    it.each(['commitId', 'filePath', 'line', 'body'])(
      'a missing %s is INVALID_BODY with the field',
      async (field) => {
        expect(await write(await open(), { [field]: undefined })).toMatchObject({
          status: 400,
          body: { code: 'INVALID_BODY', details: { field } },
        });
      },
    );

    it.each([
      ['filePath', ' '],
      ['filePath', 7],
      ['line', 0],
      ['line', -1],
      ['line', 1.5],
      ['line', '12'],
      ['line', 2 ** 31],
      ['body', ''],
      ['body', ' \n'],
      ['body', 'a\u0000'],
      ['body', `${'ä'.repeat(4 * 1024)}a`],
      ['parentCommentId', 'x'],
    ])('%s being %j is INVALID_BODY with the field', async (field, value) => {
      expect(await write(await open(), { [field]: value })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_BODY', details: { field } },
      });
    });

    it('a commitId that is not exactly 40 lowercase hex characters is INVALID_COMMIT_ID', async () => {
      const { status, body } = await write(await open(), { commitId: 'A'.repeat(40) });
      expect({ status, body }).toMatchObject({ status: 400, body: { code: 'INVALID_COMMIT_ID' } });
    });

    it.each([
      ['commitId', 'b'.repeat(40)],
      ['filePath', 'src/other.ts'],
      ['line', 13],
    ])("a reply whose %s is not its root's is INVALID_BODY with the field", async (field, value) => {
      const { reviewId, rootId } = await thread();
      expect(await write(reviewId, { parentCommentId: rootId, [field]: value })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_BODY', details: { field } },
      });
    });

    it('a reply to a reply is INVALID_BODY: it points at a root', async () => {
      const { reviewId, rootId } = await thread();
      const { body: reply } = await write(reviewId, { parentCommentId: rootId });
      expect(await write(reviewId, { parentCommentId: reply.commentId as string })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_BODY', details: { field: 'parentCommentId' } },
      });
    });
  });

  describe('403', () => {
    it.each(['carol', 'ci', 'dave'] as const)(
      '%s, whose roles do not permit it, is not allowed',
      async (who) => {
        const reviewId = await open();
        expect((await write(reviewId, {}, who)).body.code).toBe('FORBIDDEN');
        expect((await list(reviewId)).body).toEqual([]);
      },
    );
  });

  describe('404', () => {
    it.each(['mallory', 'olga'] as const)(
      "another tenant's review is answered to %s exactly as one that exists nowhere, and nothing is written",
      async (who) => {
        const reviewId = await open();
        const foreign = await write(reviewId, {}, who);
        expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
        expect(foreign.body).toEqual((await write(randomUUID(), {}, who)).body);
        expect((await list(reviewId)).body).toEqual([]);
      },
    );

    it('a root of another review, of another tenant or nowhere is no such comment', async () => {
      const { reviewId } = await thread();
      const elsewhere = await thread();
      const unknown = await write(reviewId, { parentCommentId: randomUUID() });
      expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect((await write(reviewId, { parentCommentId: elsewhere.rootId })).body).toEqual(unknown.body);
    });
  });

  describe('409', () => {
    it('there is one root per review, commit, file and line, be it open or closed', async () => {
      const { reviewId, rootId } = await thread();
      expect(await write(reviewId, {}, 'bob')).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
      await setStatus(reviewId, rootId, 'CLOSED');
      expect((await write(reviewId)).status).toBe(409);
    });

    it('of several roots opened at once, one is there in the end', async () => {
      const reviewId = await open();
      const answers = await Promise.all(Array.from({ length: 4 }, () => write(reviewId)));
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    });
  });
});

describe('PATCH /v1/reviews/{review_id}/comments/{comment_id}/status', () => {
  describe('200', () => {
    it("the root's author closes the thread and reopens it", async () => {
      const { reviewId, rootId } = await thread('bob');
      const { body: before } = await list(reviewId);
      const closed = await setStatus(reviewId, rootId, 'CLOSED', 'bob');
      expect(closed).toMatchObject({ status: 200, body: { commentId: rootId, status: 'CLOSED' } });
      expect(closed.body.updatedAt > before[0].updatedAt).toBe(true);
      expect(closed.body.createdAt).toBe(before[0].createdAt);
      expect(await setStatus(reviewId, rootId, 'OPEN', 'bob')).toMatchObject({ body: { status: 'OPEN' } });
    });

    it('opening an open thread leaves it open', async () => {
      const { reviewId, rootId } = await thread();
      expect(await setStatus(reviewId, rootId, 'OPEN')).toMatchObject({
        status: 200,
        body: { status: 'OPEN' },
      });
    });

    it('the refusal of advance is cleared by resolving the threads', async () => {
      const scene = new ReviewScene(service);
      const reviewId = await scene.open();
      const { body: first } = await write(reviewId);
      const { body: second } = await write(reviewId, { line: 99 });
      await write(reviewId, { parentCommentId: first.commentId as string });
      await scene.build(reviewId);
      const refusal = { error: 'unresolved_threads', reviewId, unresolvedThreads: 2 };
      expect(await scene.advance()).toMatchObject({ status: 409, body: refusal });
      await setStatus(reviewId, first.commentId as string, 'CLOSED');
      expect((await scene.advance()).body.unresolvedThreads).toBe(1);
      await setStatus(reviewId, second.commentId as string, 'CLOSED');
      expect(await scene.advance()).toMatchObject({ status: 200, body: { reviewId, status: 'MERGE' } });
    });
  });

  describe('400', () => {
    it.each([undefined, null, '', 'closed', 'RESOLVED', 1])(
      'a status that is %j is INVALID_BODY with the field',
      async (status) => {
        const { reviewId, rootId } = await thread();
        expect(await setStatus(reviewId, rootId, status)).toMatchObject({
          status: 400,
          body: { code: 'INVALID_BODY', details: { field: 'status' } },
        });
      },
    );

    it('a reply has no status of its own', async () => {
      const { reviewId, rootId } = await thread();
      const { body: reply } = await write(reviewId, { parentCommentId: rootId });
      const answer = await setStatus(reviewId, reply.commentId as string, 'CLOSED');
      expect(answer).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
    });

    it.each([
      ['review_id', 'x', randomUUID()],
      ['comment_id', randomUUID(), 'x'],
    ])('a %s that is no UUID is INVALID_PATH_ID and named', async (parameter, reviewId, commentId) => {
      expect(await setStatus(reviewId, commentId, 'CLOSED')).toMatchObject({
        status: 400,
        body: { code: 'INVALID_PATH_ID', details: { parameter, value: 'x' } },
      });
    });
  });

  describe('403', () => {
    it.each(['CLOSED', 'OPEN'])(
      "only the root's author may make it %s: no one else, an administrator or a replier neither",
      async (status) => {
        const { reviewId, rootId } = await thread('bob');
        await write(reviewId, { parentCommentId: rootId }, 'alice');
        expect((await setStatus(reviewId, rootId, status, 'alice')).body.code).toBe('FORBIDDEN');
        expect((await list(reviewId)).body[0].status).toBe('OPEN');
      },
    );

    it('a caller without the permission is not allowed', async () => {
      const { reviewId, rootId } = await thread();
      expect((await setStatus(reviewId, rootId, 'CLOSED', 'carol')).status).toBe(403);
    });
  });

  describe('404', () => {
    it('a comment that is unknown, or of another review', async () => {
      const { reviewId, rootId } = await thread();
      const unknown = await setStatus(reviewId, randomUUID(), 'CLOSED');
      expect(unknown).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect((await setStatus(await open(), rootId, 'CLOSED')).body).toEqual(unknown.body);
    });

    it.each(['mallory', 'olga'] as const)(
      "another tenant's comment is answered to %s exactly as one that exists nowhere",
      async (who) => {
        const { reviewId, rootId } = await thread();
        const foreign = await setStatus(reviewId, rootId, 'CLOSED', who);
        expect(foreign.status).toBe(404);
        expect(foreign.body).toEqual((await setStatus(randomUUID(), randomUUID(), 'CLOSED', who)).body);
        expect((await list(reviewId)).body[0].status).toBe('OPEN');
      },
    );
  });

  describe('409', () => {
    it('closing twice is ALREADY_CLOSED', async () => {
      const { reviewId, rootId } = await thread();
      await setStatus(reviewId, rootId, 'CLOSED');
      const again = await setStatus(reviewId, rootId, 'CLOSED');
      expect(again).toMatchObject({ status: 409, body: { code: 'ALREADY_CLOSED' } });
    });

    it('of several requests to close it at once, one closes it and the others are refused', async () => {
      const { reviewId, rootId } = await thread();
      const closing = Array.from({ length: 4 }, () => setStatus(reviewId, rootId, 'CLOSED'));
      const answers = await Promise.all(closing);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    });
  });
});
