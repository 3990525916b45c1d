import { type RouteEntry, type RouteName, ROUTES } from '@plat/contracts/core';
import { LOGIN_ROLES } from '@plat/database';
import { startTestService, type TestService } from '@plat/testing';
import { ALL_SERVICES } from '../all-services';
import { BODIES } from './bodies';
import { makeScene, type PathIds } from './scene';

const routes = Object.entries(ROUTES) as [RouteName, RouteEntry][];
const RECORDERS = Object.values(LOGIN_ROLES).join(', ');

describe('a request that cannot be audited is answered 503 and does nothing, on every route', () => {
  let service: TestService;
  let ids: PathIds;
  let before: string;
  beforeAll(async () => {
    service = await startTestService(...ALL_SERVICES);
    ids = await makeScene(service, 'acme');
    await service.database.query(`REVOKE EXECUTE ON FUNCTION audit.record_requests(jsonb) FROM ${RECORDERS}`);
    before = await everything();
  }, 30_000);
  afterAll(() => service.stop());

  /** A digest of every row of every table. */
  async function everything(): Promise<string> {
    const tables = await service.database.query<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_class c
        WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
          AND c.relnamespace::regnamespace::text IN ('identity', 'reviews', 'builds', 'releases', 'audit', 'environments')
        ORDER BY name`,
    );
    const digests = tables.map(
      ({ name }) => `(SELECT md5(string_agg(t::text, ';' ORDER BY t::text)) FROM ${name} t) AS "${name}"`,
    );
    return JSON.stringify(await service.database.query(`SELECT ${digests.join(', ')}`));
  }

  it.each(
    routes
      .filter(([, route]) => !route.public)
      .map(([name, route]) => [`${route.method} ${route.template}`, name]),
  )('%s', async (_, name) => {
    const { method, template }: RouteEntry = ROUTES[name as RouteName];
    const path = template.replace(/\{([a-z_]+)\}/g, (__, parameter: string) => ids[parameter]!);
    const answer = await service.send('alice', `${method} ${path as '/'}`, BODIES[name as RouteName]?.(ids));
    expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    expect(await everything()).toBe(before);
  });

  it('GET /v1/platform, which is public and not audited, is still answered', async () => {
    expect((await service.send('alice', 'GET /v1/platform')).status).toBe(200);
  });
});
