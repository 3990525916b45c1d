import { randomUUID } from 'node:crypto';
import { buildsService } from '@plat/builds';
import { newId, REVIEW_STATUSES, type ReviewStatus } from '@plat/contracts/core';
import { ReviewScene, SOME_COMMIT, startTestService, type TestService } from '@plat/testing';
import { reviewsService } from '../service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(reviewsService, buildsService);
});
afterAll(() => service.stop());

const remoteUrl = 'https://git.example/acme/app';

const VALID_TARGETS: Record<ReviewStatus, string[]> = {
  OPEN: ['READY', 'FAILED', 'MERGED', 'CLOSED'],
  FAILED: ['READY', 'MERGED', 'CLOSED'],
  READY: ['FAILED', 'MERGED', 'CLOSED'],
  MERGE: ['READY', 'FAILED', 'MERGED'],
  MERGED: [],
  CLOSED: [],
};

interface At {
  scene: ReviewScene;
  id: string;
}

async function at(status: ReviewStatus): Promise<At> {
  const scene = new ReviewScene(service);
  const id = await scene.reach(status);
  expect(await scene.status(id)).toBe(status);
  return { scene, id };
}

/** Writes a RECORDED build that moves no review, which only the database's owner can do. @returns its id */
async function buildOf({ id }: At, { successful }: { successful: boolean }): Promise<string> {
  const buildId = newId();
  await service.database.query(
    `INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, kind, successful, commit_id, version)
     SELECT tenant_id, $2, review_id, name, 'RECORDED', $3, $4, '1.0.0' FROM reviews.reviews WHERE review_id = $1`,
    [id, buildId, successful, SOME_COMMIT],
  );
  return buildId;
}

/** Sends a request that is to be refused, and expects that it changes no field of the review. */
async function sendRefused(
  { scene, id }: At,
  body: Record<string, unknown>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const before = await scene.review(id);
  const answer = await scene.patch(id, body);
  expect(await scene.review(id)).toEqual(before);
  return { status: answer.status, body: answer.body as Record<string, unknown> };
}

describe('PATCH /v1/reviews/{review_id}/status', () => {
  describe('200', () => {
    it('READY accepts a successful build of this review, whatever its kind', async () => {
      const review = await at('OPEN');
      const buildId = await review.scene.build(review.id, { kind: 'GATE' });
      expect(await review.scene.patch(review.id, { status: 'READY', buildId })).toMatchObject({
        status: 200,
        body: { status: 'READY', lastReadyBuildId: buildId },
      });
    });

    it.each(['OPEN', 'FAILED', 'READY'] as const)('a review at %s may be CLOSED', async (status) => {
      const { scene, id } = await at(status);
      expect(await scene.patch(id, { status: 'CLOSED' })).toMatchObject({
        status: 200,
        body: { reviewId: id, status: 'CLOSED' },
      });
      expect(await scene.line()).toEqual([]);
    });

    it('closing the head of a line promotes no one', async () => {
      const { scene, id } = await at('READY');
      const next = await scene.openWaiting();
      await scene.patch(id, { status: 'CLOSED' });
      expect(await scene.status(next)).toBe('READY');
      expect(await scene.line()).toEqual([next]);
    });

    it('READY with no buildId on a review at MERGE rejoins the queue at the tail, not the head', async () => {
      const { scene, id } = await at('MERGE');
      const before = await scene.review(id);
      const waiting = [await scene.green(), await scene.green()];
      const { status, body } = await scene.patch(id, { status: 'READY' });
      expect({ status, body }).toMatchObject({ status: 200, body: { status: 'READY' } });
      expect(body.lastReadyBuildId).toBe(before.lastReadyBuildId);
      expect(await scene.line()).toEqual([...waiting, id]);
    });

    it('a requeue promotes no one: the slot stays free until someone advances', async () => {
      const { scene, id } = await at('MERGE');
      const next = await scene.green();
      await scene.patch(id, { status: 'READY' });
      expect(await scene.status(next)).toBe('READY');
      expect((await scene.advance()).body.reviewId).toBe(next);
    });

    it('a requeued review may be promoted again', async () => {
      const { scene, id } = await at('MERGE');
      await scene.patch(id, { status: 'READY' });
      expect((await scene.advance()).body).toMatchObject({ reviewId: id, status: 'MERGE' });
    });

    it.each(['OPEN', 'FAILED', 'MERGE'] as const)(
      'READY with a successful build of a review at %s joins the tail and does not continue to MERGE',
      async (status) => {
        const review = await at(status);
        const buildId = await buildOf(review, { successful: true });
        const answer = await review.scene.patch(review.id, { status: 'READY', buildId });
        expect(answer).toMatchObject({ status: 200, body: { status: 'READY', lastReadyBuildId: buildId } });
        expect(await review.scene.line()).toEqual([review.id]);
      },
    );

    it.each(['OPEN', 'READY', 'MERGE'] as const)(
      'FAILED with a failed build moves a review at %s',
      async (status) => {
        const review = await at(status);
        const buildId = await buildOf(review, { successful: false });
        const answer = await review.scene.patch(review.id, { status: 'FAILED', buildId });
        expect(answer).toMatchObject({ status: 200, body: { status: 'FAILED', lastFailedBuildId: buildId } });
        expect(await review.scene.line()).toEqual([]);
      },
    );

    it('FAILED on a review at MERGE frees the slot', async () => {
      const review = await at('MERGE');
      const next = await review.scene.green();
      const buildId = await buildOf(review, { successful: false });
      await review.scene.patch(review.id, { status: 'FAILED', buildId });
      expect((await review.scene.advance()).body.reviewId).toBe(next);
    });

    it('remoteUrl is ignored without MERGED, server-owned fields always', async () => {
      const { scene, id } = await at('OPEN');
      const answer = await scene.patch(id, {
        status: 'CLOSED',
        remoteUrl,
        name: 'x',
        tenantId: randomUUID(),
      });
      expect(answer).toMatchObject({ status: 200, body: { status: 'CLOSED' } });
    });

    it('an agent may report a status', async () => {
      const { scene, id } = await at('MERGE');
      expect((await scene.patch(id, { status: 'READY' }, 'ci')).status).toBe(200);
    });
  });

  describe('400', () => {
    it.each(REVIEW_STATUSES)(
      'asserting MERGE directly on a review at %s is INVALID_TRANSITION',
      async (status) => {
        const review = await at(status);
        const answer = await sendRefused(review, { status: 'MERGE', buildId: randomUUID() });
        expect(answer).toMatchObject({
          status: 400,
          body: {
            code: 'INVALID_TRANSITION',
            details: { from: status, to: 'MERGE', validTargets: VALID_TARGETS[status] },
          },
        });
      },
    );

    it.each(REVIEW_STATUSES)('OPEN is never a target: a review at %s', async (status) => {
      const answer = await sendRefused(await at(status), { status: 'OPEN' });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'INVALID_TRANSITION', details: { from: status, to: 'OPEN' } },
      });
    });

    it.each(['CLOSED', 'MERGED'] as const)(
      'MERGED on a %s review is INVALID_TRANSITION, whatever else it lacks',
      async (status) => {
        const review = await at(status);
        for (const body of [{}, { remoteUrl }, { remoteUrl, buildId: randomUUID() }]) {
          expect(await sendRefused(review, { status: 'MERGED', ...body })).toMatchObject({
            status: 400,
            body: { code: 'INVALID_TRANSITION', details: { from: status, to: 'MERGED', validTargets: [] } },
          });
        }
      },
    );

    it.each([
      ['MERGED', 'CLOSED'],
      ['CLOSED', 'CLOSED'],
      ['MERGED', 'FAILED'],
      ['CLOSED', 'FAILED'],
      ['MERGE', 'CLOSED'],
      ['FAILED', 'FAILED'],
    ] as const)('a review at %s cannot be moved to %s', async (from, to) => {
      const answer = await sendRefused(await at(from), { status: to, buildId: randomUUID() });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'INVALID_TRANSITION', details: { from, to, validTargets: VALID_TARGETS[from] } },
      });
    });

    it.each(['READY', 'MERGED', 'CLOSED'] as const)(
      'READY with a buildId on a review at %s is INVALID_TRANSITION',
      async (from) => {
        const review = await at(from);
        const buildId = await buildOf(review, { successful: true });
        expect((await sendRefused(review, { status: 'READY', buildId })).body.code).toBe(
          'INVALID_TRANSITION',
        );
      },
    );

    it.each([
      ['OPEN', 'FAILED'],
      ['READY', 'FAILED'],
      ['MERGE', 'FAILED'],
      ['MERGE', 'MERGED'],
    ] as const)(
      'a review at %s reported %s without a buildId is INVALID_BODY with details.field buildId',
      async (from, to) => {
        const answer = await sendRefused(await at(from), { status: to, remoteUrl });
        expect(answer).toMatchObject({
          status: 400,
          body: { code: 'INVALID_BODY', details: { field: 'buildId' } },
        });
      },
    );

    it.each(['OPEN', 'FAILED', 'READY', 'MERGE'] as const)(
      'MERGED on a review at %s without remoteUrl is INVALID_BODY with the field',
      async (from) => {
        const review = await at(from);
        const body = from === 'MERGE' ? { buildId: randomUUID() } : {};
        expect(await sendRefused(review, { status: 'MERGED', ...body })).toMatchObject({
          status: 400,
          body: { code: 'INVALID_BODY', details: { field: 'remoteUrl' } },
        });
      },
    );

    it.each([undefined, null, '', 'merged', 'DONE', 7])(
      'a value that is no status (%j) is INVALID_BODY with the field',
      async (status) => {
        expect(await sendRefused(await at('OPEN'), { status })).toMatchObject({
          status: 400,
          body: { code: 'INVALID_BODY', details: { field: 'status' } },
        });
      },
    );

    it.each([
      ['buildId', 'x'],
      ['buildId', 7],
      ['remoteUrl', 7],
      ['remoteUrl', 'https://x/\u0000'],
    ])('a %s that cannot be read (%j) is INVALID_BODY with the field', async (field, value) => {
      const answer = await sendRefused(await at('OPEN'), { status: 'CLOSED', [field]: value });
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_BODY', details: { field } } });
    });

    it('the body is judged before the review is looked for, and the path id before the body', async () => {
      const unknown = await service.send('alice', `PATCH /v1/reviews/${randomUUID()}/status`, {
        status: 'X',
      });
      expect(unknown.body.code).toBe('INVALID_BODY');
      const malformed = await service.send('alice', 'PATCH /v1/reviews/x/status', { status: 'X' });
      expect(malformed.body.code).toBe('INVALID_PATH_ID');
    });
  });

  describe('403', () => {
    it('a caller without the permission is not allowed', async () => {
      const { scene, id } = await at('OPEN');
      expect((await scene.patch(id, { status: 'CLOSED' }, 'carol')).body.code).toBe('FORBIDDEN');
      expect(await scene.status(id)).toBe('OPEN');
    });
  });

  describe('404', () => {
    it.each(['CLOSED', 'MERGE', 'MERGED', 'READY'] as const)(
      "another tenant's review is answered as one that exists nowhere: %s",
      async (status) => {
        const { scene, id } = await at('OPEN');
        const foreign = await scene.patch(id, { status, remoteUrl }, 'mallory');
        const unknown = await scene.patch(randomUUID(), { status, remoteUrl }, 'mallory');
        expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
        expect(foreign.body).toEqual(unknown.body);
        expect(await scene.status(id)).toBe('OPEN');
      },
    );

    it("a caller of the operations tenant may not move another tenant's review", async () => {
      const { scene, id } = await at('OPEN');
      expect((await scene.patch(id, { status: 'CLOSED' }, 'olga')).status).toBe(404);
      expect(await scene.status(id)).toBe('OPEN');
    });

    it.each([
      ['READY', true],
      ['FAILED', false],
    ])('%s with a build of another review is a plain 404', async (status, successful) => {
      const review = await at('OPEN');
      const buildId = await buildOf(await at('OPEN'), { successful });
      expect(await sendRefused(review, { status, buildId })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      });
    });

    it.each([
      ['READY', false],
      ['FAILED', true],
    ])('%s with a build of the opposite outcome is a plain 404', async (status, successful) => {
      const review = await at('OPEN');
      const buildId = await buildOf(review, { successful });
      expect(await sendRefused(review, { status, buildId })).toMatchObject({
        status: 404,
        body: { code: 'NOT_FOUND' },
      });
    });

    it.each(['READY', 'FAILED', 'MERGED'] as const)(
      'an unknown buildId with %s is a plain 404',
      async (status) => {
        const review = await at('MERGE');
        const remote = review.scene.repository;
        expect(await sendRefused(review, { status, buildId: randomUUID(), remoteUrl: remote })).toMatchObject(
          {
            status: 404,
            body: { code: 'NOT_FOUND' },
          },
        );
      },
    );
  });

  describe('409', () => {
    it.each(['OPEN', 'FAILED', 'READY', 'MERGED', 'CLOSED'] as const)(
      'READY with no buildId on a review at %s is REVIEW_NOT_MERGING',
      async (status) => {
        const review = await at(status);
        const answer = await sendRefused(review, { status: 'READY' });
        expect(answer).toMatchObject({
          status: 409,
          body: { code: 'REVIEW_NOT_MERGING', details: { reviewId: review.id, status } },
        });
      },
    );
  });
});
