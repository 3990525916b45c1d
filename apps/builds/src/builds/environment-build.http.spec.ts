import { randomUUID } from 'node:crypto';
import { platformService } from '@plat/platform';
import { reviewsService } from '@plat/reviews';
import {
  NEW_BUILD_ID,
  ReviewScene,
  SOME_COMMIT,
  startTestService,
  TEST_ENVIRONMENTS,
  TEST_TENANTS,
  type TestAnswer,
  type TestService,
  type TestUser,
} from '@plat/testing';
import { buildsService } from '../service';

let service: TestService;
beforeAll(async () => {
  service = await startTestService(buildsService, reviewsService, platformService);
});
afterAll(() => service.stop());

const GREEN = { commitId: SOME_COMMIT, successful: true, version: '1.4.0' };

/** An environment that no other case builds for. */
async function environment(): Promise<{ environmentId: string; name: string }> {
  const name = `e-${randomUUID().slice(0, 13)}`;
  const { body } = await service.send('alice', 'POST /v1/environments', { name, type: 'runtime' });
  return { environmentId: body.environmentId as string, name };
}

/** Deletes an environment as a client does, and reads it until the job in the background is done. */
async function deleteEnvironment(environmentId: string): Promise<void> {
  const path = `/v1/environments/${environmentId}` as const;
  expect((await service.send('alice', `DELETE ${path}`)).status).toBe(202);
  for (let reads = 0; reads < 5_000; reads++) {
    if ((await service.send('alice', `GET ${path}`)).status === 404) return;
  }
  throw new Error('the deletion does not come to an end');
}

const report = (body: object, by: TestUser = 'ci'): Promise<TestAnswer> =>
  service.send(by, 'POST /v1/builds', { environmentId: TEST_ENVIRONMENTS['acme/dev'], ...GREEN, ...body });
const list = (query: string, by: TestUser = 'alice'): Promise<TestAnswer> =>
  service.send(by, `GET /v1/builds?${query}`);
const idsOf = ({ body }: TestAnswer): string[] =>
  (body as { builds: { buildId: string }[] }).builds.map(({ buildId }) => buildId);

/** Several builds of one environment, oldest first. */
async function history(
  environmentId: string,
  outcomes: readonly boolean[],
): Promise<{ buildId: string; createdAt: string }[]> {
  const builds = [];
  for (const successful of outcomes) builds.push((await report({ environmentId, successful })).body);
  return builds as { buildId: string; createdAt: string }[];
}

describe('POST /v1/builds', () => {
  describe('201', () => {
    it('answers the build, including environmentId, environmentName and kind', async () => {
      const { environmentId, name } = await environment();
      const { status, body } = await report({ environmentId, failureDetail: 'one flaky test' });
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          buildId: expect.any(String) as unknown,
          tenantId: TEST_TENANTS.acme.tenantId,
          environmentId,
          environmentName: name,
          kind: 'RECORDED',
          successful: true,
          commitId: SOME_COMMIT,
          version: '1.4.0',
          failureDetail: 'one flaky test',
          createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as unknown,
          updatedAt: body.createdAt as unknown,
        },
      });
    });

    it('always clears reviewId: a body reviewId is ignored, and triggers no review status transition', async () => {
      const scene = new ReviewScene(service);
      const reviewId = await scene.open();
      const { status, body } = await report({ reviewId, kind: 'RECORDED' });
      expect(status).toBe(201);
      expect(body).not.toHaveProperty('reviewId');
      expect(body).not.toHaveProperty('reviewName');
      expect(await scene.status(reviewId)).toBe('OPEN');
      expect((await service.send('alice', `GET /v1/reviews/${reviewId}/builds`)).body).toEqual([]);
    });

    it('server-owned fields of the body are dropped', async () => {
      const claimed = { buildId: randomUUID(), tenantId: randomUUID(), environmentName: 'x' };
      const { body } = await report(claimed);
      expect(body).toMatchObject({ tenantId: TEST_TENANTS.acme.tenantId, environmentName: 'dev' });
      expect(body.buildId).not.toBe(claimed.buildId);
    });

    it('a failed build needs no failureDetail, and a blank one counts as missing', async () => {
      const { status, body } = await report({ successful: false, failureDetail: ' ' });
      expect({ status, successful: body.successful }).toEqual({ status: 201, successful: false });
      expect(body).not.toHaveProperty('failureDetail');
    });

    it.each(['0.0.1', '1.2.3-rc.1', '1.2.3-snapshot-20260102030405'])(
      'a version %s is accepted',
      async (version) => {
        expect(await report({ version })).toMatchObject({ status: 201, body: { version } });
      },
    );

    it('re-running records a new build', async () => {
      const { environmentId } = await environment();
      expect(new Set((await history(environmentId, [true, true])).map(({ buildId }) => buildId)).size).toBe(
        2,
      );
    });
  });

  describe('400', () => {
    it.each(['environmentId', 'commitId', 'successful', 'version'])(
      'a missing %s is INVALID_BODY with the field',
      async (field) => {
        for (const value of [undefined, null]) {
          expect(await report({ [field]: value })).toMatchObject({
            status: 400,
            body: { code: 'INVALID_BODY', details: { field } },
          });
        }
      },
    );

    it('kind GATE is refused', async () => {
      expect(await report({ kind: 'GATE', version: undefined })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_BODY', details: { field: 'kind' } },
      });
    });

    it.each([
      ['environmentId', ''],
      ['environmentId', 'dev'],
      ['environmentId', 7],
      ['kind', 'recorded'],
      ['kind', 7],
      ['successful', 'true'],
      ['version', 7],
      ['commitId', 7],
      ['failureDetail', 7],
      ['failureDetail', 'ä'.repeat(8 * 1024 + 1)],
    ])('%s being %j is INVALID_BODY with the field', async (field, value) => {
      expect(await report({ [field]: value })).toMatchObject({
        status: 400,
        body: { code: 'INVALID_BODY', details: { field } },
      });
    });

    it.each(['', 'abc', 'A'.repeat(40), `${SOME_COMMIT}\n`])(
      'a commitId that is not exactly 40 lowercase hex characters (%j) is INVALID_COMMIT_ID',
      async (commitId) => {
        expect(await report({ commitId })).toMatchObject({
          status: 400,
          body: { code: 'INVALID_COMMIT_ID' },
        });
      },
    );

    it.each(['', '1.2', 'v1.2.3', '1.2.3-', '1.2.3\n'])(
      'a version that fails the grammar (%j) is INVALID_VERSION',
      async (version) => {
        expect(await report({ version })).toMatchObject({ status: 400, body: { code: 'INVALID_VERSION' } });
      },
    );
  });

  describe('403', () => {
    it('a caller without the permission is not allowed', async () => {
      expect((await report({}, 'carol')).body.code).toBe('FORBIDDEN');
    });
  });

  describe('404', () => {
    it('an id of another tenant is answered exactly as an id that exists nowhere, to the byte', async () => {
      const raw = async (environmentId: string): Promise<string> => {
        const response = await fetch(`${service.url}/v1/builds`, {
          method: 'POST',
          headers: { authorization: await service.bearer('alice'), 'content-type': 'application/json' },
          body: JSON.stringify({ ...GREEN, environmentId }),
        });
        return `${response.status} ${response.headers.get('content-type')} ${await response.text()}`;
      };
      const foreign = await raw(TEST_ENVIRONMENTS['globex/dev']);
      expect(foreign).toMatch(/^404 .*NOT_FOUND/);
      expect(foreign).toBe(await raw(randomUUID()));
    });

    it('a caller of the operations tenant has no environment of another tenant either', async () => {
      expect(await report({}, 'olga')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    });

    it('nothing is recorded', async () => {
      await report({ environmentId: TEST_ENVIRONMENTS['globex/dev'] });
      expect(idsOf(await list('', 'mallory'))).toEqual([]);
    });
  });
});

describe('GET /v1/builds', () => {
  describe('200', () => {
    it('an empty listing is [], with no nextCursor', async () => {
      const { status, body } = await list(`environmentId=${randomUUID()}`);
      expect({ status, body }).toEqual({ status: 200, body: { builds: [] } });
    });

    it('newest first, by filters that compose', async () => {
      const { environmentId } = await environment();
      const [first, second, third] = (await history(environmentId, [true, false, true])).map(
        ({ buildId }) => buildId,
      );
      const listIds = async (more: string): Promise<string[]> =>
        idsOf(await list(`environmentId=${environmentId}${more}`));
      expect(await listIds('')).toEqual([third, second, first]);
      expect(await listIds('&successful=true')).toEqual([third, first]);
      expect(await listIds('&successful=false&kind=RECORDED')).toEqual([second]);
      expect(await listIds('&kind=GATE')).toEqual([]);
      expect(await listIds('&kind=&successful=&since=&until=&cursor=&limit=&other=1')).toHaveLength(3);
    });

    it('also lists the builds of reviews, of both kinds, each as its report was answered', async () => {
      const scene = new ReviewScene(service);
      const reviewId = await scene.open();
      const { body: recorded } = await scene.report(reviewId);
      const { body: gate } = await scene.report(reviewId, { kind: 'GATE', successful: false });
      const since = encodeURIComponent(recorded.createdAt as string);
      const until = encodeURIComponent(gate.createdAt as string);
      expect((await list(`since=${since}&until=${until}`)).body).toEqual({ builds: [gate, recorded] });
      expect((await list(`since=${since}&until=${until}&kind=GATE`)).body).toEqual({ builds: [gate] });
    });

    it('since and until are inclusive bounds on createdAt, to the microsecond, in any offset', async () => {
      const { environmentId } = await environment();
      const [first, second, third] = await history(environmentId, [true, true, true]);
      const listIds = async (more: string): Promise<string[]> =>
        idsOf(await list(`environmentId=${environmentId}${more}`));
      const at = (text: string): string => encodeURIComponent(text);
      expect(await listIds(`&since=${at(second!.createdAt)}`)).toEqual([third!.buildId, second!.buildId]);
      expect(await listIds(`&until=${at(second!.createdAt)}`)).toEqual([second!.buildId, first!.buildId]);
      expect(await listIds(`&since=${at(second!.createdAt)}&until=${at(second!.createdAt)}`)).toEqual([
        second!.buildId,
      ]);
      expect(await listIds(`&until=${at(second!.createdAt.replace('Z', '+01:00'))}`)).toEqual([]);
    });

    it('pages by a keyset, not an offset; nextCursor is absent on the last page', async () => {
      const { environmentId } = await environment();
      const newestFirst = (await history(environmentId, [true, true, true, true, true])).reverse();
      const pages: string[][] = [];
      let cursor: string | undefined = '';
      while (cursor !== undefined) {
        const query = `environmentId=${environmentId}&limit=2&cursor=${encodeURIComponent(cursor)}`;
        const page: TestAnswer = await list(query);
        pages.push(idsOf(page));
        cursor = page.body.nextCursor as string | undefined;
        await report({ environmentId });
      }
      const ids = newestFirst.map(({ buildId }) => buildId);
      expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    });

    it('the id decides among builds of one moment, so that no page repeats or loses one', async () => {
      const { environmentId } = await environment();
      await service.database.query(
        `INSERT INTO builds.builds (tenant_id, build_id, environment_id, environment_name, kind, successful, commit_id,
                                    version, created_at)
         SELECT $1, ${NEW_BUILD_ID}, $2, 'e', 'RECORDED', true, $3, '1.0.0', '2026-01-01T00:00:00.000001Z'
           FROM generate_series(1, 7)`,
        [TEST_TENANTS.acme.tenantId, environmentId, SOME_COMMIT],
      );
      const seen: string[] = [];
      let cursor: string | undefined = '';
      while (cursor !== undefined) {
        const page: TestAnswer = await list(
          `environmentId=${environmentId}&limit=3&cursor=${encodeURIComponent(cursor)}`,
        );
        seen.push(...idsOf(page));
        cursor = page.body.nextCursor as string | undefined;
      }
      expect(new Set(seen).size).toBe(7);
      expect(seen).toEqual([...seen].sort().reverse());
    });

    it.each([
      ['0', 50],
      ['-1', 50],
      ['', 50],
      ['7', 7],
      ['201', 200],
    ])('limit %j pages by %i: default 50, maximum 200', async (limit, size) => {
      const { environmentId } = await environment();
      await service.database.query(
        `INSERT INTO builds.builds (tenant_id, build_id, environment_id, environment_name, kind, successful, commit_id,
                                    version)
         SELECT $1, ${NEW_BUILD_ID}, $2, 'e', 'RECORDED', true, $3, '1.0.0' FROM generate_series(1, 201)`,
        [TEST_TENANTS.acme.tenantId, environmentId, SOME_COMMIT],
      );
      const page = await list(`environmentId=${environmentId}&limit=${limit}`);
      expect(idsOf(page)).toHaveLength(size);
      expect(typeof page.body.nextCursor).toBe('string');
    });

    it("data is scoped to the caller's tenant; a caller of the operations tenant reads across", async () => {
      const { environmentId } = await environment();
      const [{ buildId } = { buildId: '' }] = await history(environmentId, [true]);
      expect(idsOf(await list(`environmentId=${environmentId}`, 'mallory'))).toEqual([]);
      expect(idsOf(await list(`environmentId=${environmentId}`, 'olga'))).toEqual([buildId]);
    });

    it('an environment that is deleted by its route keeps its builds and their environmentName', async () => {
      const { environmentId, name } = await environment();
      const { body } = await report({ environmentId });
      await deleteEnvironment(environmentId);
      const answer = await list(`environmentId=${environmentId}`);
      expect(answer.body).toEqual({ builds: [body] });
      expect(body.environmentName).toBe(name);
      const gone = await report({ environmentId });
      expect(gone.status).toBe(404);
      expect(gone.body).toEqual((await report({ environmentId: randomUUID() })).body);
    });
  });

  describe('400', () => {
    it.each([
      ['successful', 'yes'],
      ['successful', 'TRUE'],
      ['successful', '1'],
      ['kind', 'gate'],
      ['environmentId', 'dev'],
      ['since', 'yesterday'],
      ['since', '2026-01-01'],
      ['until', '2026-02-30T00:00:00Z'],
      ['cursor', 'x'],
      ['cursor', '2026-01-01T00:00:00Z'],
      ['limit', 'ten'],
      ['limit', '1.5'],
    ])('%s=%s is INVALID_QUERY with the parameter', async (field, value) => {
      expect(await list(`${field}=${value}`)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_QUERY', details: { field } },
      });
    });
  });

  describe('403', () => {
    it('a caller without a role is not allowed', async () => {
      expect((await list('', 'dave')).body.code).toBe('FORBIDDEN');
    });
  });
});
