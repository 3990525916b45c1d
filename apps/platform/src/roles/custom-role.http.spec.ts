import { randomUUID } from 'node:crypto';
import type { PermissionRule } from '@plat/database';
import { reviewsService } from '@plat/reviews';
import { startTestService, TEST_TENANTS, type TestService, type TestTenant } from '@plat/testing';
import { platformService } from '../service';

const ADVANCE = 'POST /v1/reviews/merge-queue/advance';
const OVERRIDE = 'POST /v1/reviews/merge-queue/override-advance';
const ONE_REVIEW = `GET /v1/reviews/${randomUUID()}`;
const STATUS = `PATCH /v1/reviews/${randomUUID()}/status`;

describe('what a role that a tenant has defined permits', () => {
  let service: TestService;
  beforeAll(async () => (service = await startTestService(platformService, reviewsService)));
  afterAll(() => service.stop());

  interface Enrolled {
    userId: string;
    /** The status of a request that the user sends; 403 when no rule permits it. */
    ask(line: string): Promise<number>;
  }

  const make = async (line: 'POST /v1/roles' | 'POST /v1/users', body: object) => {
    const answer = await service.send('alice', line, body);
    expect(answer.status).toBe(201);
    return answer.body as { roleId: string; userId: string };
  };
  const role = async (...permissions: PermissionRule[]): Promise<string> =>
    (await make('POST /v1/roles', { name: randomUUID(), permissions })).roleId;

  async function send(subject: string, line: string, tenant: TestTenant = 'acme'): Promise<number> {
    const [method = '', path] = line.split(' ');
    const token = await service.issuer.token({ sub: subject, org: TEST_TENANTS[tenant].organization });
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${token}` },
      body: method === 'GET' ? undefined : '{}',
    });
    await response.body?.cancel();
    return response.status;
  }

  /** A new user who signs in and holds these roles. */
  async function enrolUser(...roleIds: string[]): Promise<Enrolled> {
    const subject = randomUUID();
    const { userId } = await make('POST /v1/users', { username: subject, subject, roleIds });
    return { userId, ask: (line) => send(subject, line) };
  }

  it('is what an exact rule names: one method on one route template', async () => {
    const { ask } = await enrolUser(await role({ apiMethod: 'GET', apiPath: '/v1/reviews/{review_id}' }));
    expect(await ask(ONE_REVIEW)).toBe(404);
    expect(await ask('GET /v1/reviews')).toBe(403);
    expect(await ask('GET /v1/reviews/merge-queue')).toBe(403);
    expect(await ask(STATUS)).toBe(403);
  });

  it('"A tenant may grant advance without granting override-advance"', async () => {
    const { ask } = await enrolUser(
      await role({ apiMethod: 'POST', apiPath: '/v1/reviews/merge-queue/advance' }),
    );
    expect([await ask(ADVANCE), await ask(OVERRIDE)]).toEqual([400, 403]);
  });

  it('is what a pattern matches as a whole, method and template alike', async () => {
    const { ask } = await enrolUser(
      await role({ apiMethodPattern: 'GET|PATCH', apiPathPattern: '/v1/reviews(/.*)?' }),
    );
    expect(await ask('GET /v1/reviews')).toBe(200);
    expect(await ask(STATUS)).toBe(400);
    expect(await ask('POST /v1/reviews')).toBe(403);
    expect(await ask('GET /v1/roles')).toBe(403);
  });

  it('depends on the route template, never on the path that was sent', async () => {
    const id = randomUUID();
    const byPath = await enrolUser(
      await role({ apiMethodPattern: 'GET', apiPathPattern: `/v1/reviews/${id}` }),
    );
    expect(await byPath.ask(`GET /v1/reviews/${id}`)).toBe(403);
  });

  it('adds up over the roles that a user holds', async () => {
    const { ask } = await enrolUser(
      await role({ apiMethod: 'GET', apiPath: '/v1/reviews' }),
      await role({ apiMethod: 'GET', apiPath: '/v1/roles' }),
    );
    expect([await ask('GET /v1/reviews'), await ask('GET /v1/roles')]).toEqual([200, 200]);
  });

  it('ends with the next request after the role is taken back, in every service of the process', async () => {
    const roleId = await role({ apiMethod: 'GET', apiPath: '/v1/reviews' });
    const { userId, ask } = await enrolUser(roleId);
    expect(await ask('GET /v1/reviews')).toBe(200);
    expect((await service.send('alice', `DELETE /v1/users/${userId}/roles/${roleId}`)).status).toBe(204);
    expect(await ask('GET /v1/reviews')).toBe(403);
  });

  it('is nothing in another tenant: callers are cached by issuer, subject and organisation', async () => {
    const subject = randomUUID();
    const roleIds = [await role({ apiMethod: 'GET', apiPath: '/v1/reviews' })];
    await make('POST /v1/users', { username: subject, subject, roleIds });
    expect(await send(subject, 'GET /v1/reviews')).toBe(200);
    expect(await send(subject, 'GET /v1/reviews', 'globex')).toBe(403);
    expect(await send(subject, 'GET /v1/reviews')).toBe(200);
  });
});
