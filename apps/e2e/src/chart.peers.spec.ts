/**
 * @peers helm-3
 * @paths deploy/charts libs/database libs/service/src libs/testing/src/deployment tools/db apps/e2e/src/chart-cluster.ts
 */
import { claimsOf, type TestUser } from '@plat/testing';
import { ChartCluster } from './chart-cluster';

const LONG_MS = 300_000;

/** The story of an installation: each step needs the one before. */
describe('what the chart renders with a database of its own', () => {
  let cluster: ChartCluster;
  beforeAll(async () => (cluster = await ChartCluster.start()), LONG_MS);
  afterAll(() => cluster?.stop());

  async function send(user: TestUser, line: string, body?: object) {
    const [method = '', path = ''] = line.split(' ');
    const service = path.startsWith('/v1/reviews') ? 'reviews' : 'platform';
    const answer = await fetch(cluster.services.get(service)!.url + path, {
      method,
      headers: {
        authorization: `Bearer ${await cluster.issuer.token(claimsOf(user))}`,
        'content-type': 'application/json',
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  it(
    'the job makes the schema, the directory and the logins, as an owner who is no superuser',
    async () => {
      const { code, output } = await cluster.runJob('plat-migrate');
      expect({ code, output }).toEqual({
        code: 0,
        output: expect.stringContaining('set the password of plat_audit'),
      });
      expect(output).not.toContain('The server logs');
    },
    LONG_MS,
  );

  it(
    'the job may run again, as before each upgrade',
    async () => {
      expect(await cluster.runJob('plat-migrate')).toMatchObject({ code: 0 });
    },
    LONG_MS,
  );

  it(
    'the services start with their own logins, over TLS, and answer',
    async () => {
      await cluster.startServices();
      const proposed = await send('alice', 'POST /v1/reviews', {
        name: 'a',
        sourceBranch: 'a',
        targetBranch: 'main',
      });
      expect(proposed.status).toBe(201);
      expect(await send('alice', 'GET /v1/whoami')).toMatchObject({
        status: 200,
        body: { username: 'alice' },
      });
      expect((await send('mallory', `GET /v1/reviews/${proposed.body.reviewId as string}`)).status).toBe(404);
    },
    LONG_MS,
  );

  it(
    'helm test finds all of them ready, and says which one is not',
    async () => {
      const { code, output } = await cluster.test();
      expect({ code, lines: output.match(/^ok /gm)?.length }).toEqual({ code: 0, lines: 6 });
      await cluster.services.get('audit')!.stop();
      const failed = await cluster.test();
      expect(failed).toEqual({ code: 1, output: expect.stringMatching(/^FAILED .*ECONNREFUSED/m) });
    },
    LONG_MS,
  );
});
