import { randomBytes, randomUUID } from 'node:crypto';
import { reviewsService } from '@plat/reviews';
import {
  ReviewScene,
  startTestService,
  TEST_TENANTS,
  type TestAnswer,
  type TestService,
} from '@plat/testing';
import { releasesService } from '../service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(releasesService, reviewsService);
});
afterAll(() => service.stop());

const someCommit = (): string => randomBytes(20).toString('hex');
const queue = (
  body: Record<string, unknown> = {},
  user: 'alice' | 'mallory' | 'carol' = 'alice',
): Promise<TestAnswer> =>
  service.send(user, 'POST /v1/releases', { targetBranch: 'main', commitId: someCommit(), ...body });

/** Changes a release as the database's owner, because no runner takes releases from the queue yet. */
const finish = (releaseId: string, columns: string): Promise<unknown> =>
  service.database.query(`UPDATE releases.releases SET ${columns} WHERE release_id = $1`, [releaseId]);

describe('POST /v1/releases', () => {
  describe('201', () => {
    it('a commit without a release gets a queued one', async () => {
      const commitId = someCommit();
      const { status, body } = await queue({ commitId });
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          releaseId: expect.any(String) as unknown,
          tenantId: TEST_TENANTS.acme.tenantId,
          targetBranch: 'main',
          commitId,
          status: 'queued',
          attempt: 1,
          createdAt: expect.any(String) as unknown,
          updatedAt: expect.any(String) as unknown,
        },
      });
    });

    it('carries the review when one is named', async () => {
      const reviewId = await new ReviewScene(service).open();
      expect(await queue({ reviewId })).toMatchObject({ status: 201, body: { reviewId } });
    });

    it('there is one release per tenant and commit: another tenant has its own', async () => {
      const commitId = someCommit();
      const mine = await queue({ commitId });
      const theirs = await queue({ commitId }, 'mallory');
      expect(theirs.status).toBe(201);
      expect(theirs.body.releaseId).not.toBe(mine.body.releaseId);
    });

    it('server-owned fields of the body are dropped', async () => {
      const claimed = { status: 'released', version: '1.0.0', attempt: 9, releaseId: randomUUID() };
      const { body } = await queue(claimed);
      expect(body).toMatchObject({ status: 'queued', attempt: 1 });
      expect(body).not.toHaveProperty('version');
    });
  });

  describe('200', () => {
    it.each([
      ['queued', undefined],
      ['running', "status = 'running'"],
      ['released', "status = 'released', version = '1.0.0'"],
    ])('the commit has a %s release: the row as it is, unchanged', async (_, columns) => {
      const { body: first } = await queue();
      if (columns) await finish(first.releaseId as string, columns);
      const { body: before } = await service.send('alice', `GET /v1/releases/${first.releaseId}`);
      const again = await queue({ commitId: first.commitId as string, targetBranch: 'other' });
      await finish(first.releaseId as string, "status = 'released', version = '1.0.0'");
      expect(again).toMatchObject({ status: 200, body: before });
    });

    it('a failed release is queued again: the same row with attempt incremented', async () => {
      const { body: first } = await queue();
      await finish(first.releaseId as string, "status = 'failed', failure_reason = 'no disk'");
      const again = await queue({ commitId: first.commitId as string });
      expect(again).toMatchObject({
        status: 200,
        body: {
          releaseId: first.releaseId as string,
          status: 'queued',
          attempt: 2,
          createdAt: first.createdAt as string,
        },
      });
      expect(again.body).not.toHaveProperty('failureReason');
    });

    it('queueing a failed release again keeps its place in the line', async () => {
      const { body: first } = await queue();
      const { body: second } = await queue();
      await finish(first.releaseId as string, "status = 'failed', failure_reason = 'no disk'");
      await queue({ commitId: first.commitId as string });
      const line = await service.database.query<{ release_id: string }>(
        'SELECT release_id FROM releases.releases WHERE release_id = ANY ($1) ORDER BY queue_sequence',
        [[first.releaseId, second.releaseId]],
      );
      expect(line.map(({ release_id }) => release_id)).toEqual([first.releaseId, second.releaseId]);
    });
  });

  describe('400', () => {
    it.each(['', 'abc', 'A'.repeat(40)])(
      'a commitId that is not 40 lowercase hex (%j) is INVALID_COMMIT_ID',
      async (commitId) => {
        expect(await queue({ commitId })).toMatchObject({ status: 400, body: { code: 'INVALID_COMMIT_ID' } });
      },
    );

    it.each([
      ['commitId', undefined],
      ['targetBranch', undefined],
      ['targetBranch', ' '],
      ['targetBranch', 'a..b'],
      ['reviewId', 'x'],
    ])('%s being %j is INVALID_BODY with the field', async (field, value) => {
      expect(await queue({ [field]: value })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_BODY', details: { field } },
      });
    });
  });

  describe('403', () => {
    it('a caller without the permission is not allowed', async () => {
      expect((await queue({}, 'carol')).body.code).toBe('FORBIDDEN');
    });
  });

  describe('404', () => {
    it("another tenant's review is answered exactly as one that exists nowhere", async () => {
      const reviewId = await new ReviewScene(service).open();
      const foreign = await queue({ reviewId }, 'mallory');
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(foreign.body).toEqual((await queue({ reviewId: randomUUID() }, 'mallory')).body);
    });

    it("a review that is not the caller's is 404 although the commit has a release", async () => {
      const { body } = await queue();
      expect((await queue({ commitId: body.commitId as string, reviewId: randomUUID() })).status).toBe(404);
    });
  });
});

describe('GET /v1/releases', () => {
  describe('200', () => {
    it('lists newest first, filtered by target branch, review and status together', async () => {
      const reviewId = await new ReviewScene(service).open();
      const targetBranch = `target/${randomUUID()}`;
      const [first, second] = [
        (await queue({ targetBranch, reviewId })).body.releaseId as string,
        (await queue({ targetBranch })).body.releaseId as string,
      ];
      const list = async (more: string): Promise<unknown[]> => {
        const { body } = await service.send('alice', `GET /v1/releases?targetBranch=${targetBranch}${more}`);
        return (body as { releaseId: string }[]).map(({ releaseId }) => releaseId);
      };
      expect(await list('')).toEqual([second, first]);
      expect(await list(`&reviewId=${reviewId}`)).toEqual([first]);
      expect(await list('&status=queued')).toEqual([second, first]);
      expect(await list('&status=failed')).toEqual([]);
      expect(await list('&status=&reviewId=')).toEqual([second, first]);
    });

    it("data is scoped to the caller's tenant; a caller of the operations tenant reads across", async () => {
      const targetBranch = `target/${randomUUID()}`;
      const { body } = await queue({ targetBranch });
      const line = `GET /v1/releases?targetBranch=${targetBranch}` as const;
      expect((await service.send('mallory', line)).body).toEqual([]);
      expect((await service.send('olga', line)).body).toEqual([body]);
    });
  });

  describe('400', () => {
    it.each(['status=done', 'reviewId=x', 'status=queued&status=failed'])(
      '%s is INVALID_QUERY',
      async (query) => {
        const answer = await service.send('alice', `GET /v1/releases?${query}`);
        expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY' } });
      },
    );
  });
});

describe('GET /v1/releases/{release_id}', () => {
  describe('200', () => {
    it('shows one release: version only on released, failureReason only on failed', async () => {
      const { body } = await queue();
      await finish(body.releaseId as string, "status = 'released', version = '1.4.0'");
      const released = await service.send('bob', `GET /v1/releases/${body.releaseId}`);
      expect(released).toMatchObject({ status: 200, body: { status: 'released', version: '1.4.0' } });
      expect(released.body).not.toHaveProperty('failureReason');
    });
  });

  describe('400', () => {
    it('an id that is no UUID is INVALID_PATH_ID', async () => {
      expect((await service.send('alice', 'GET /v1/releases/x')).body.code).toBe('INVALID_PATH_ID');
    });
  });

  describe('404', () => {
    it("another tenant's release is answered exactly as one that exists nowhere", async () => {
      const { body } = await queue();
      const foreign = await service.send('mallory', `GET /v1/releases/${body.releaseId}`);
      expect(foreign.status).toBe(404);
      expect(foreign.body).toEqual((await service.send('mallory', `GET /v1/releases/${randomUUID()}`)).body);
    });
  });
});

describe('GET /v1/reviews/{review_id}/releases', () => {
  describe('200', () => {
    it('lists the releases that the review produced, newest first', async () => {
      const reviewId = await new ReviewScene(service).open();
      expect((await service.send('alice', `GET /v1/reviews/${reviewId}/releases`)).body).toEqual([]);
      const releases = [(await queue({ reviewId })).body, (await queue({ reviewId })).body];
      await queue();
      const answer = await service.send('alice', `GET /v1/reviews/${reviewId}/releases`);
      expect(answer).toMatchObject({ status: 200, body: releases.reverse() });
    });
  });

  describe('404', () => {
    it("a listing under a review that is unknown or another tenant's", async () => {
      const reviewId = await new ReviewScene(service).open();
      const foreign = await service.send('mallory', `GET /v1/reviews/${reviewId}/releases`);
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    });
  });
});
