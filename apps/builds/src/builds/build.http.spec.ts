import { randomUUID } from 'node:crypto';
import { REVIEW_STATUSES, type ReviewStatus } from '@plat/contracts/core';
import { reviewsService } from '@plat/reviews';
import {
  ReviewScene,
  SOME_COMMIT,
  startTestService,
  TEST_ENVIRONMENTS,
  TEST_TENANTS,
  type TestAnswer,
  type TestService,
} from '@plat/testing';
import { buildsService } from '../service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(buildsService, reviewsService);
});
afterAll(() => service.stop());

const GREEN = { commitId: SOME_COMMIT, successful: true, version: '1.2.3' };
const GATE_RED = { commitId: SOME_COMMIT, successful: false, kind: 'GATE', failureDetail: 'tests failed' };

const report = (reviewId: string, body: unknown): Promise<TestAnswer> =>
  service.send('alice', `POST /v1/reviews/${reviewId}/builds`, body);

async function at(status: ReviewStatus): Promise<{ scene: ReviewScene; id: string }> {
  const scene = new ReviewScene(service);
  return { scene, id: await scene.reach(status) };
}

describe('POST /v1/reviews/{review_id}/builds', () => {
  describe('201', () => {
    it('answers the build, RECORDED unless it says otherwise', async () => {
      const { scene, id } = await at('OPEN');
      const { status, body } = await report(id, { ...GREEN, failureDetail: 'one flaky test' });
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          buildId: expect.any(String) as unknown,
          tenantId: TEST_TENANTS.acme.tenantId,
          reviewId: id,
          reviewName: (await scene.review(id)).name,
          kind: 'RECORDED',
          successful: true,
          commitId: SOME_COMMIT,
          version: '1.2.3',
          failureDetail: 'one flaky test',
          createdAt: body.createdAt as unknown,
          updatedAt: body.createdAt as unknown,
        },
      });
    });

    it('takes reviewId from the path; body values and server-owned fields are ignored', async () => {
      const { id } = await at('OPEN');
      const other = await at('OPEN');
      const claimed = { reviewId: other.id, buildId: randomUUID(), tenantId: randomUUID(), reviewName: 'x' };
      const { body } = await report(id, { ...GREEN, ...claimed });
      expect(body).toMatchObject({ reviewId: id, tenantId: TEST_TENANTS.acme.tenantId });
      expect(body.buildId).not.toBe(claimed.buildId);
      expect(await other.scene.status(other.id)).toBe('OPEN');
    });

    it('keeps that a successful GATE build rests on the word of who reported it', async () => {
      const { id } = await at('MERGE');
      const gate = { commitId: SOME_COMMIT, successful: true, kind: 'GATE' };
      const { body } = await report(id, { ...gate, vouched: true });
      expect(body.vouched).toBe(true);
      expect((await report(id, { ...gate, vouched: false })).body).not.toHaveProperty('vouched');
      const { body: builds } = await service.send('alice', `GET /v1/reviews/${id}/builds`);
      const kept = (builds as unknown as Array<{ kind: string; vouched?: true }>).filter(
        ({ kind }) => kind === 'GATE',
      );
      expect(kept.map(({ vouched }) => vouched)).toEqual([undefined, true]);
    });

    it.each(['0.0.1', '10.20.30', '1.2.3-rc.1', '1.2.3-snapshot-20260102030405'])(
      'a version %s is accepted',
      async (version) => {
        const { id } = await at('OPEN');
        expect((await report(id, { ...GREEN, version })).body.version).toBe(version);
      },
    );

    it.each([
      ['a version', '9.9.9'],
      ['something that is no version', 'x'],
      ['a number', 7],
    ])('a GATE build never carries a version: %s is dropped, never checked', async (_, version) => {
      const { id } = await at('MERGE');
      const { status, body } = await report(id, {
        commitId: SOME_COMMIT,
        successful: true,
        kind: 'GATE',
        version,
      });
      expect(status).toBe(201);
      expect(body).not.toHaveProperty('version');
    });

    it("an environmentId of the caller's own is accepted and not stored", async () => {
      const { id } = await at('OPEN');
      const { status, body } = await report(id, { ...GREEN, environmentId: TEST_ENVIRONMENTS['acme/dev'] });
      expect(status).toBe(201);
      expect(body).not.toHaveProperty('environmentId');
      expect(body).not.toHaveProperty('environmentName');
    });

    it('a failed RECORDED build needs no failureDetail', async () => {
      const { id } = await at('OPEN');
      expect((await report(id, { ...GREEN, successful: false })).status).toBe(201);
    });

    it('re-running records a new build', async () => {
      const { id } = await at('READY');
      const ids = [await report(id, GREEN), await report(id, GREEN)].map(
        ({ body }) => body.buildId as string,
      );
      expect(new Set(ids).size).toBe(2);
    });
  });

  describe('201, and the review', () => {
    it('the first green build of an idle queue ends at MERGE', async () => {
      const { scene, id } = await at('OPEN');
      const build = await scene.build(id);
      expect(await scene.review(id)).toMatchObject({ status: 'MERGE', lastReadyBuildId: build });
    });

    it('an occupied slot leaves it READY, at the tail', async () => {
      const { scene } = await at('MERGE');
      const [first, second] = [await scene.green(), await scene.green()];
      expect(await scene.line()).toEqual([first, second]);
    });

    it('an earlier READY review leaves it READY, though the slot is free', async () => {
      const { scene, id } = await at('READY');
      const later = await scene.green();
      expect(await scene.line()).toEqual([id, later]);
    });

    it('an OPEN thread on it leaves it READY and never fails the report', async () => {
      const { scene, id } = await at('OPEN');
      await scene.comment(id);
      expect((await scene.report(id)).status).toBe(201);
      expect(await scene.status(id)).toBe('READY');
    });

    it('reviews without a repository continue to MERGE in a line of their own', async () => {
      const scene = new ReviewScene(service, null);
      expect(await scene.status(await scene.green())).toBe('MERGE');
      expect(await scene.status(await scene.green())).toBe('READY');
    });

    it('a review without a repository waits behind the one named repository, whose queue it shares', async () => {
      const { scene, id } = await at('READY');
      const unrecorded = new ReviewScene(service, null, scene.targetBranch);
      const later = await unrecorded.green();
      expect(await scene.line()).toEqual([id, later]);
    });

    it('where several repositories wait, a review without one stays READY', async () => {
      const { scene } = await at('READY');
      await new ReviewScene(
        service,
        `https://git.example/acme/${randomUUID()}`,
        scene.targetBranch,
      ).openWaiting();
      const unrecorded = new ReviewScene(service, null, scene.targetBranch);
      expect(await unrecorded.status(await unrecorded.green())).toBe('READY');
    });

    it('repositories and targets do not wait for each other', async () => {
      const { scene } = await at('MERGE');
      const repository = `https://git.example/acme/${randomUUID()}`;
      const other = new ReviewScene(service, repository, scene.targetBranch);
      const elsewhere = new ReviewScene(service, scene.repository);
      expect(await other.status(await other.green())).toBe('MERGE');
      expect(await elsewhere.status(await elsewhere.green())).toBe('MERGE');
    });

    it('FAILED to READY goes to the tail', async () => {
      const { scene } = await at('MERGE');
      const [first, second] = [await scene.green(), await scene.green()];
      await scene.build(first!, { successful: false });
      await scene.build(first!);
      expect(await scene.line()).toEqual([second, first]);
    });

    it('a FAILED review that turns green in an idle queue continues to MERGE', async () => {
      const { scene, id } = await at('FAILED');
      await scene.build(id);
      expect(await scene.status(id)).toBe('MERGE');
    });

    it('a successful RECORDED build of a READY review is recorded only: it keeps its place and its lastReadyBuildId', async () => {
      const { scene, id } = await at('READY');
      const before = await scene.review(id);
      await scene.green();
      const line = await scene.line();
      await scene.build(id);
      expect(await scene.review(id)).toEqual(before);
      expect(await scene.line()).toEqual(line);
    });

    it.each(['MERGE', 'MERGED', 'CLOSED'] as const)(
      'a successful RECORDED build of a review at %s is recorded only',
      async (status) => {
        const { scene, id } = await at(status);
        const before = await scene.review(id);
        expect((await scene.report(id)).status).toBe(201);
        expect(await scene.review(id)).toEqual(before);
      },
    );

    it.each(REVIEW_STATUSES)(
      'a successful GATE build does not move a review at %s by itself',
      async (status) => {
        const { scene, id } = await at(status);
        const before = await scene.review(id);
        expect((await scene.report(id, { kind: 'GATE' })).status).toBe(201);
        expect(await scene.review(id)).toEqual(before);
      },
    );

    const reds = ['RECORDED', 'GATE'] as const;
    const moved = (['OPEN', 'FAILED', 'READY', 'MERGE'] as const).flatMap((status) =>
      reds.map((kind) => [status, kind] as const),
    );
    it.each(moved)('a review at %s is FAILED by a failed %s build', async (status, kind) => {
      const { scene, id } = await at(status);
      const build = await scene.build(id, { kind, successful: false });
      expect(await scene.review(id)).toMatchObject({ status: 'FAILED', lastFailedBuildId: build });
      expect(await scene.line()).toEqual([]);
    });

    const ended = (['MERGED', 'CLOSED'] as const).flatMap((status) =>
      reds.map((kind) => [status, kind] as const),
    );
    it.each(ended)('a review at %s is left alone by a failed %s build', async (status, kind) => {
      const { scene, id } = await at(status);
      const before = await scene.review(id);
      expect((await scene.report(id, { kind, successful: false })).status).toBe(201);
      expect(await scene.review(id)).toEqual(before);
    });

    it('a failure at MERGE frees the slot and promotes no one', async () => {
      const { scene, id } = await at('MERGE');
      const next = await scene.green();
      await scene.build(id, { kind: 'GATE', successful: false });
      expect(await scene.status(next)).toBe('READY');
      expect((await scene.advance()).body.reviewId).toBe(next);
    });
  });

  describe('400', () => {
    const upper = 'A'.repeat(40);
    it.each(['', 'abc', upper, `${SOME_COMMIT}a`, 'g'.repeat(40), `${SOME_COMMIT}\n`])(
      'a commitId that is not exactly 40 lowercase hex characters (%j) is INVALID_COMMIT_ID',
      async (commitId) => {
        const { id } = await at('OPEN');
        expect(await report(id, { ...GREEN, commitId })).toMatchObject({
          status: 400,
          body: { code: 'INVALID_COMMIT_ID' },
        });
      },
    );

    it.each(['', '1', '1.2', 'v1.2.3', '1.2.3-', '1.2.3+x', '1.2.3 ', '1.2.3\n', '1.2.3-a_b'])(
      'a version that fails the grammar (%j) is INVALID_VERSION',
      async (version) => {
        const { id } = await at('OPEN');
        expect(await report(id, { ...GREEN, version })).toMatchObject({
          status: 400,
          body: { code: 'INVALID_VERSION' },
        });
      },
    );

    it('build metadata is named in the refusal', async () => {
      const { id } = await at('OPEN');
      expect(await report(id, { ...GREEN, version: '1.0.0+42' })).toMatchObject({
        body: {
          code: 'INVALID_VERSION',
          message: expect.stringContaining('build metadata "+42" is not taken') as string,
        },
      });
    });

    it.each(['commitId', 'successful', 'version'])(
      'a missing %s is INVALID_BODY with the field',
      async (field) => {
        const { scene, id } = await at('OPEN');
        expect(await report(id, { ...GREEN, [field]: undefined })).toMatchObject({
          status: 400,
          body: { code: 'INVALID_BODY', details: { field } },
        });
        expect(await scene.status(id)).toBe('OPEN');
      },
    );

    it.each([
      ['successful', 'true'],
      ['successful', 1],
      ['kind', 'gate'],
      ['kind', 7],
      ['commitId', 7],
      ['version', 7],
      ['failureDetail', 7],
      ['vouched', 'true'],
      ['vouched', true],
      ['environmentId', 'x'],
      ['failureDetail', 'a\u0000'],
    ])('%s being %j is INVALID_BODY with the field', async (field, value) => {
      const { id } = await at('OPEN');
      expect(await report(id, { ...GREEN, [field]: value })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_BODY', details: { field } },
      });
    });

    it.each([undefined, null, '', ' \n'])(
      'a failed GATE build whose failureDetail is %j is INVALID_BODY',
      async (failureDetail) => {
        const { scene, id } = await at('MERGE');
        expect(await report(id, { ...GATE_RED, failureDetail })).toMatchObject({
          status: 400,
          body: { code: 'INVALID_BODY', details: { field: 'failureDetail' } },
        });
        expect(await scene.status(id)).toBe('MERGE');
      },
    );

    it('a failed GATE build that is vouched for is INVALID_BODY', async () => {
      const { id } = await at('MERGE');
      expect(await report(id, { ...GATE_RED, vouched: true })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_BODY', details: { field: 'vouched' } },
      });
    });

    it('a failureDetail over 16 KiB is INVALID_BODY', async () => {
      const { id } = await at('MERGE');
      const failureDetail = 'ä'.repeat(8 * 1024 + 1);
      expect((await report(id, { ...GATE_RED, failureDetail })).body.details.field).toBe('failureDetail');
    });

    it('a review_id that is no UUID is INVALID_PATH_ID, before the body is judged', async () => {
      expect((await report('x', {})).body.code).toBe('INVALID_PATH_ID');
    });
  });

  describe('403', () => {
    it('a caller without the permission is not allowed', async () => {
      const { scene, id } = await at('OPEN');
      expect((await scene.report(id, {}, 'carol')).body.code).toBe('FORBIDDEN');
    });

    it('an agent may report builds', async () => {
      const { scene, id } = await at('OPEN');
      expect((await scene.report(id, {}, 'ci')).status).toBe(201);
    });
  });

  describe('404', () => {
    it("another tenant's review is answered exactly as one that exists nowhere", async () => {
      const { scene, id } = await at('OPEN');
      const foreign = await scene.report(id, {}, 'mallory');
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(foreign.body).toEqual((await scene.report(randomUUID(), {}, 'mallory')).body);
      expect(await scene.status(id)).toBe('OPEN');
    });

    it('a caller of the operations tenant cannot report on it', async () => {
      const { scene, id } = await at('OPEN');
      expect((await scene.report(id, {}, 'olga')).status).toBe(404);
      expect(await scene.status(id)).toBe('OPEN');
    });

    it('an environmentId of another tenant is answered exactly as an id that exists nowhere', async () => {
      const { scene, id } = await at('OPEN');
      const foreign = await report(id, { ...GREEN, environmentId: TEST_ENVIRONMENTS['globex/dev'] });
      const unknown = await report(id, { ...GREEN, environmentId: randomUUID() });
      expect(foreign.status).toBe(404);
      expect(foreign.body).toEqual(unknown.body);
      expect(await scene.status(id)).toBe('OPEN');
    });
  });
});

describe('GET /v1/reviews/{review_id}/builds', () => {
  const list = (id: string, user: 'alice' | 'mallory' | 'olga' = 'alice'): Promise<TestAnswer> =>
    service.send(user, `GET /v1/reviews/${id}/builds`);

  describe('200', () => {
    it('lists all builds of the review, both kinds, newest first', async () => {
      const { scene, id } = await at('OPEN');
      const ids = [
        await scene.build(id, { successful: false }),
        await scene.build(id),
        await scene.build(id, { kind: 'GATE' }),
      ];
      const { status, body } = await list(id);
      expect(status).toBe(200);
      expect((body as { buildId: string }[]).map(({ buildId }) => buildId)).toEqual(ids.reverse());
      expect(body[0].kind).toBe('GATE');
    });

    it('a review without builds has an empty list', async () => {
      expect(await list((await at('OPEN')).id)).toMatchObject({ status: 200, body: [] });
    });

    it('a caller of the operations tenant reads across tenants', async () => {
      const { scene, id } = await at('OPEN');
      await scene.build(id);
      expect((await list(id, 'olga')).body).toEqual((await list(id)).body);
    });
  });

  describe('404', () => {
    it("a listing under a review that is unknown or another tenant's", async () => {
      const { scene, id } = await at('OPEN');
      await scene.build(id);
      const foreign = await list(id, 'mallory');
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(foreign.body).toEqual((await list(randomUUID(), 'mallory')).body);
    });
  });
});

describe('GET /v1/reviews/{review_id}/builds/{build_id}', () => {
  describe('200', () => {
    it('shows one build as it was answered', async () => {
      const { scene, id } = await at('OPEN');
      const { body } = await scene.report(id);
      const answer = await service.send('bob', `GET /v1/reviews/${id}/builds/${body.buildId}`);
      expect(answer).toMatchObject({ status: 200, body });
    });
  });

  describe('400', () => {
    it.each([
      ['review_id', `x/builds/${randomUUID()}`],
      ['build_id', `${randomUUID()}/builds/x`],
    ])('a %s that is no UUID is INVALID_PATH_ID', async (parameter, path) => {
      const { status, body } = await service.send('alice', `GET /v1/reviews/${path}`);
      expect({ status, code: body.code, parameter: body.details.parameter }).toEqual({
        status: 400,
        code: 'INVALID_PATH_ID',
        parameter,
      });
    });
  });

  describe('405', () => {
    it.each(['PUT', 'PATCH', 'DELETE'] as const)(
      '"no update or delete route for builds": %s',
      async (method) => {
        const { scene, id } = await at('OPEN');
        const { body } = await scene.report(id);
        const path = `/v1/reviews/${id}/builds/${body.buildId}` as const;
        const answer = await service.send('alice', `${method} ${path}`, { successful: false });
        expect(answer).toMatchObject({ status: 405, body: { code: 'METHOD_NOT_ALLOWED' } });
        expect(answer.headers.get('allow')).toBe('GET, HEAD');
        expect((await service.send('alice', `GET ${path}`)).body).toEqual(body);
      },
    );
  });

  describe('404', () => {
    it('a build of another review, of another tenant, and of none', async () => {
      const { scene, id } = await at('OPEN');
      const buildId = await scene.build(id);
      const other = await scene.open();
      const read = async (user: 'alice' | 'mallory', path: string): Promise<number> =>
        (await service.send(user, `GET /v1/reviews/${path}`)).status;
      expect(await read('alice', `${other}/builds/${buildId}`)).toBe(404);
      expect(await read('mallory', `${id}/builds/${buildId}`)).toBe(404);
      expect(await read('alice', `${id}/builds/${randomUUID()}`)).toBe(404);
    });
  });
});
