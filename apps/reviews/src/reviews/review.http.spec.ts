import { randomUUID } from 'node:crypto';
import { buildsService } from '@plat/builds';
import { ReviewScene, startTestService, TEST_TENANTS, TEST_USERS, type TestService } from '@plat/testing';
import { reviewsService } from '../service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(reviewsService, buildsService);
});
afterAll(() => service.stop());

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const RFC_3339_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const idsOf = (body: unknown): unknown[] => (body as { reviewId: string }[]).map(({ reviewId }) => reviewId);

describe('POST /v1/reviews', () => {
  describe('201', () => {
    it('answers the created review: OPEN, by the caller, in its tenant', async () => {
      const scene = new ReviewScene(service);
      const { status, body } = await scene.propose({ name: 'Add rate limits', sourceBranch: 'topic' });
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          reviewId: expect.stringMatching(UUID_V7) as unknown,
          tenantId: TEST_TENANTS.acme.tenantId,
          authorUserId: TEST_USERS.alice.userId,
          name: 'Add rate limits',
          repository: scene.repository,
          targetBranch: scene.targetBranch,
          sourceBranch: 'topic',
          status: 'OPEN',
          createdAt: expect.stringMatching(RFC_3339_UTC) as unknown,
          updatedAt: expect.stringMatching(RFC_3339_UTC) as unknown,
        },
      });
    });

    it('server-owned fields of the body are dropped', async () => {
      const claimed = {
        reviewId: randomUUID(),
        tenantId: TEST_TENANTS.globex.tenantId,
        authorUserId: TEST_USERS.bob.userId,
        status: 'READY',
        lastReadyBuildId: randomUUID(),
        issueRef: '7',
        issueRefSource: 'DECLARED',
        createdAt: '2001-01-01T00:00:00Z',
        __proto__: { admin: true },
      };
      const { body } = await new ReviewScene(service).propose(claimed);
      expect(body).toMatchObject({
        tenantId: TEST_TENANTS.acme.tenantId,
        authorUserId: TEST_USERS.alice.userId,
        status: 'OPEN',
      });
      expect(body.reviewId).not.toBe(claimed.reviewId);
      expect(body).not.toHaveProperty('lastReadyBuildId');
      expect(body).not.toHaveProperty('issueRef');
      expect(body).not.toHaveProperty('issueRefSource');
      expect(body.createdAt).not.toMatch(/^2001/);
    });

    it('the author is the authenticated caller', async () => {
      const { body } = await new ReviewScene(service).propose({}, 'bob');
      expect(body.authorUserId).toBe(TEST_USERS.bob.userId);
    });

    it.each([
      'git@git.example:acme/App.git',
      'ssh://git@GIT.example/acme/App/',
      'https://u:p@git.example/acme/App.git',
    ])('an SSH remote and its HTTPS form are one identity: %s', async (repository) => {
      const { body } = await new ReviewScene(service, repository).propose();
      expect(body.repository).toBe('https://git.example/acme/App');
    });

    it.each([
      ['absent', undefined],
      ['null', null],
    ])('a repository that is %s is recorded as none', async (_, repository) => {
      const { status, body } = await new ReviewScene(service, null).propose({ repository });
      expect(status).toBe(201);
      expect(body).not.toHaveProperty('repository');
    });

    it.each([
      ['feature/12-login', '12'],
      ['bug/007-crash', '007'],
      ['feature/12-', '12'],
    ])('the branch %s names issue %s, INFERRED', async (sourceBranch, issueRef) => {
      const { body } = await new ReviewScene(service).propose({ sourceBranch });
      expect(body).toMatchObject({ issueRef, issueRefSource: 'INFERRED' });
    });

    it.each(['feature/12', 'Feature/12-x', 'fix-12-x', 'x/feature/12-y', 'feature/a12-x', 'release-2026'])(
      'the branch %s follows no such convention and yields neither field',
      async (sourceBranch) => {
        const { body } = await new ReviewScene(service).propose({ sourceBranch });
        expect(body).not.toHaveProperty('issueRef');
        expect(body).not.toHaveProperty('issueRefSource');
      },
    );
  });

  describe('201, uniqueness', () => {
    it('the name of a CLOSED review may be taken again', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.open({ name: 'once' });
      await scene.patch(id, { status: 'CLOSED' });
      expect((await scene.propose({ name: 'once' })).status).toBe(201);
    });

    it('after a review is CLOSED its pair may be proposed again', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.open({ sourceBranch: 'topic' });
      await scene.patch(id, { status: 'CLOSED' });
      expect((await scene.propose({ sourceBranch: 'topic' })).status).toBe(201);
    });

    it('names and pairs are free in another repository, and apart from reviews that record none', async () => {
      const scene = new ReviewScene(service);
      const body = { name: 'same', sourceBranch: 'topic' };
      const other = `https://git.example/acme/${randomUUID()}`;
      expect((await scene.propose(body)).status).toBe(201);
      expect((await scene.propose({ ...body, repository: other })).status).toBe(201);
      expect((await scene.propose({ ...body, name: scene.targetBranch, repository: null })).status).toBe(201);
    });

    it('names and pairs are free in another tenant', async () => {
      const scene = new ReviewScene(service);
      const body = { name: 'same', sourceBranch: 'topic' };
      await scene.propose(body);
      expect((await scene.propose(body, 'mallory')).status).toBe(201);
    });

    it('one source may be proposed onto several targets', async () => {
      const scene = new ReviewScene(service);
      await scene.propose({ sourceBranch: 'topic' });
      expect((await scene.propose({ sourceBranch: 'topic', targetBranch: 'other' })).status).toBe(201);
    });
  });

  describe('400', () => {
    it.each([
      '',
      '  ',
      '/',
      'https://github.com',
      'https://github.com/',
      'git@github.com:',
      'acme/app',
      'github.com/acme/app',
      '../app',
    ])('a repository that names none (%j) is INVALID_REPOSITORY', async (repository) => {
      const answer = await new ReviewScene(service).propose({ repository });
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REPOSITORY' } });
    });

    const fields = ['name', 'sourceBranch', 'targetBranch'];
    const faults = [undefined, null, '', ' \t', 7, ['x'], 'a\u0000b'];
    it.each(fields.flatMap((field) => faults.map((fault) => [field, fault] as const)))(
      '%s being %j is INVALID_BODY with the field',
      async (field, fault) => {
        const { status, body } = await new ReviewScene(service).propose({ [field]: fault });
        expect({ status, code: body.code, details: body.details }).toEqual({
          status: 400,
          code: 'INVALID_BODY',
          details: { field },
        });
      },
    );

    it.each([
      ['name', 'x'.repeat(513)],
      ['sourceBranch', 'x'.repeat(256)],
      ['targetBranch', 'a..b'],
      ['sourceBranch', '-x'],
      ['name', '\ud800'],
    ])('a %s that is too long, no branch name or no text is INVALID_BODY', async (field, value) => {
      const { status, body } = await new ReviewScene(service).propose({ [field]: value });
      expect({ status, details: body.details }).toEqual({ status: 400, details: { field } });
    });

    it.each(['', '{', 'null', '[]', '"x"'])(
      'a body that is no JSON object (%j) is INVALID_BODY',
      async (body) => {
        const response = await fetch(`${service.url}/v1/reviews`, {
          method: 'POST',
          headers: { authorization: await service.bearer('alice'), 'content-type': 'application/json' },
          body,
        });
        expect({ status: response.status, body: await response.json() }).toMatchObject({
          status: 400,
          body: { code: 'INVALID_BODY' },
        });
      },
    );
  });

  describe('401', () => {
    it('comes before anything is said about the body', async () => {
      const response = await fetch(`${service.url}/v1/reviews`, { method: 'POST', body: '{' });
      expect({ status: response.status, body: await response.json() }).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHENTICATED' },
      });
    });
  });

  describe('403', () => {
    it.each(['carol', 'ci', 'dave'] as const)('%s may not propose', async (user) => {
      const answer = await new ReviewScene(service).propose({ name: '' }, user);
      expect(answer).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    });
  });

  describe('409', () => {
    it('another review in the same repository holds the name and is not CLOSED', async () => {
      const scene = new ReviewScene(service);
      await scene.open({ name: 'taken', targetBranch: 'elsewhere' });
      expect(await scene.propose({ name: 'taken' })).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT' },
      });
    });

    it('another live review in the same repository proposes the same pair', async () => {
      const scene = new ReviewScene(service);
      await scene.open({ sourceBranch: 'topic' });
      const repository = scene.repository!.replace('https://git.example/', 'git@git.example:');
      const answer = await scene.propose({ sourceBranch: 'topic', repository });
      expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    });

    it('both rules hold among the reviews that record no repository', async () => {
      const scene = new ReviewScene(service, null);
      const name = randomUUID();
      await scene.open({ name, sourceBranch: 'topic' });
      expect((await scene.propose({ name })).status).toBe(409);
      expect((await scene.propose({ sourceBranch: 'topic' })).status).toBe(409);
    });

    it('a pair stays taken while its review is FAILED, READY or at MERGE', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.open({ sourceBranch: 'topic' });
      await scene.build(id, { successful: false });
      expect((await scene.propose({ sourceBranch: 'topic' })).status).toBe(409);
      await scene.build(id);
      expect(await scene.status(id)).toBe('MERGE');
      expect((await scene.propose({ sourceBranch: 'topic' })).status).toBe(409);
      await scene.patch(id, { status: 'READY' });
      expect((await scene.propose({ sourceBranch: 'topic' })).status).toBe(409);
    });
  });
});

describe('GET /v1/reviews', () => {
  describe('200', () => {
    it('any number of reviews is one array: "unpaginated"', async () => {
      const target = `many/${randomUUID()}`;
      await service.database.query(
        `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, target_branch, source_branch)
         SELECT $1, gen_random_uuid(), $2, $3 || n, $3, 'bug/' || n || '-x' FROM generate_series(1, 2000) n`,
        [TEST_TENANTS.acme.tenantId, TEST_USERS.alice.userId, target],
      );
      const answer = await service.send(
        'alice',
        `GET /v1/reviews?targetBranch=${encodeURIComponent(target)}`,
      );
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
      const expected = Array.from({ length: 2_000 }, (_, index) => String(2_000 - index));
      expect((answer.body as { issueRef: string }[]).map(({ issueRef }) => issueRef)).toEqual(expected);
    });

    it('lists newest first, as a bare array', async () => {
      const scene = new ReviewScene(service);
      const ids = [await scene.open(), await scene.open(), await scene.open()];
      const { body } = await service.send('alice', `GET /v1/reviews?targetBranch=${scene.targetBranch}`);
      expect(idsOf(body)).toEqual(ids.reverse());
    });

    it('an empty listing is []', async () => {
      const answer = await service.send('alice', `GET /v1/reviews?targetBranch=${randomUUID()}`);
      expect(answer).toMatchObject({ status: 200, body: [] });
    });

    it('shows each review as it is shown alone', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.green({ sourceBranch: 'bug/9-x' });
      const { body } = await service.send('alice', `GET /v1/reviews?targetBranch=${scene.targetBranch}`);
      expect(body).toEqual([await scene.review(id)]);
    });

    it('filters compose: all that are given must hold', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.open({ sourceBranch: 'topic' });
      await scene.open();
      await new ReviewScene(service, null, scene.targetBranch).open({ sourceBranch: 'topic' });
      const filters = new URLSearchParams({
        repository: `${scene.repository!}.git`,
        targetBranch: scene.targetBranch,
        sourceBranch: 'topic',
        status: 'OPEN',
        authorUserId: TEST_USERS.alice.userId,
      });
      const list = async (more: Record<string, string>): Promise<unknown[]> => {
        const query = new URLSearchParams([...filters, ...Object.entries(more)]);
        return idsOf((await service.send('alice', `GET /v1/reviews?${query.toString()}`)).body);
      };
      expect(await list({})).toEqual([id]);
      filters.set('status', 'READY');
      expect(await list({})).toEqual([]);
      filters.set('status', 'OPEN');
      expect(await list({ reviewerUserId: TEST_USERS.bob.userId })).toEqual([]);
      filters.set('authorUserId', TEST_USERS.bob.userId);
      expect(await list({})).toEqual([]);
    });

    it('reviewerUserId lists the reviews that a user is assigned to', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.open();
      await scene.open();
      await service.database.query(
        'INSERT INTO reviews.reviewers (tenant_id, review_id, user_id) VALUES ($1, $2, $3)',
        [TEST_TENANTS.acme.tenantId, id, TEST_USERS.ci.userId],
      );
      const { body } = await service.send('alice', `GET /v1/reviews?reviewerUserId=${TEST_USERS.ci.userId}`);
      expect(idsOf(body)).toEqual([id]);
    });

    it('an absent repository lists every repository; one that is named leaves out those that record none', async () => {
      const scene = new ReviewScene(service);
      const named = await scene.open();
      const unrecorded = await new ReviewScene(service, null, scene.targetBranch).open();
      const all = await service.send(
        'alice',
        `GET /v1/reviews?targetBranch=${scene.targetBranch}&repository=`,
      );
      expect(idsOf(all.body)).toEqual([unrecorded, named]);
      const one = await service.send('alice', `GET /v1/reviews?repository=${scene.repository}`);
      expect(idsOf(one.body)).toEqual([named]);
    });

    it('unknown parameters are ignored, an empty value means not given', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.open();
      const { body } = await service.send(
        'alice',
        `GET /v1/reviews?targetBranch=${scene.targetBranch}&status=&limit=x&colour=red`,
      );
      expect(idsOf(body)).toEqual([id]);
    });

    it("data is scoped to the caller's tenant; a caller of the operations tenant reads across", async () => {
      const scene = new ReviewScene(service);
      const id = await scene.open();
      const line = `GET /v1/reviews?targetBranch=${scene.targetBranch}` as const;
      expect((await service.send('mallory', line)).body).toEqual([]);
      expect(idsOf((await service.send('olga', line)).body)).toEqual([id]);
    });
  });

  describe('400', () => {
    it.each([
      'status=open',
      'status=DONE',
      'authorUserId=x',
      'reviewerUserId=1',
      'mergedCommitId=main',
      'status=OPEN&status=READY',
      'targetBranch=%00',
    ])('%s is INVALID_QUERY', async (query) => {
      const answer = await service.send('alice', `GET /v1/reviews?${query}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY' } });
    });

    it('an unusable repository is INVALID_REPOSITORY', async () => {
      const answer = await service.send('alice', 'GET /v1/reviews?repository=acme/app');
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REPOSITORY' } });
    });
  });
});

describe('GET /v1/reviews/{review_id}', () => {
  describe('200', () => {
    it('shows one review, by an id in either case', async () => {
      const scene = new ReviewScene(service);
      const created = (await scene.propose()).body as { reviewId: string };
      const answer = await service.send('bob', `GET /v1/reviews/${created.reviewId.toUpperCase()}`);
      expect(answer).toMatchObject({ status: 200, body: created });
    });

    it('a caller of the operations tenant reads it, with its own tenantId', async () => {
      const scene = new ReviewScene(service);
      const id = await scene.open();
      expect((await service.send('olga', `GET /v1/reviews/${id}`)).body).toEqual(await scene.review(id));
    });
  });

  describe('400', () => {
    it('an id that is no UUID is INVALID_PATH_ID; the message names the parameter and the value', async () => {
      const { status, body } = await service.send('alice', 'GET /v1/reviews/42');
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_PATH_ID' });
      expect(body.message).toMatch(/review_id.*42/);
    });
  });

  describe('403', () => {
    it('comes before the path id is judged', async () => {
      expect((await service.send('dave', 'GET /v1/reviews/42')).body.code).toBe('FORBIDDEN');
    });
  });

  describe('404', () => {
    it("another tenant's review is answered exactly as one that exists nowhere", async () => {
      const id = await new ReviewScene(service).open();
      const foreign = await service.send('mallory', `GET /v1/reviews/${id}`);
      const unknown = await service.send('mallory', `GET /v1/reviews/${randomUUID()}`);
      expect(foreign).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
      expect(foreign.body).toEqual(unknown.body);
    });

    it('the nil UUID is well-formed', async () => {
      const answer = await service.send('alice', 'GET /v1/reviews/00000000-0000-0000-0000-000000000000');
      expect(answer.status).toBe(404);
    });
  });
});
