import { applyDirectory } from '@plat/database';
import {
  claimsOf,
  ORGANIZATION_CLAIM,
  probeService,
  startTestService,
  TEST_AUDIENCE,
  TEST_TENANTS,
  TEST_USERS,
  testDirectory,
  type TestService,
  TokenIssuer,
} from '@plat/testing';

const NEW_AUDIENCE = 'https://new.example.com';
const NO_ID = '/v1/reviews/not-a-uuid/status';

describe('who a caller is, and what it may do', () => {
  let service: TestService;
  let solo: TokenIssuer;
  beforeAll(async () => {
    [service, solo] = await Promise.all([
      startTestService(
        probeService(({ tenantId, userId, acrossTenants }) => ({ tenantId, userId, acrossTenants })),
      ),
      TokenIssuer.start(),
    ]);
    const directory = testDirectory(service.issuer.url);
    await applyDirectory(service.database.ownerUrl, {
      ...directory,
      issuers: [
        ...directory.issuers,
        { name: 'solo', url: solo.url, audience: [TEST_AUDIENCE, NEW_AUDIENCE], tenant: 'acme' },
      ],
      users: [
        { tenant: 'acme', username: 'sam', issuer: 'solo', subject: 'subject-of-sam', roles: ['ReadAll'] },
        {
          tenant: 'ops',
          username: 'oscar',
          issuer: 'shared',
          subject: 'subject-of-oscar',
          roles: ['TenantAgent'],
        },
      ],
    });
  });
  afterAll(() => Promise.all([service.stop(), solo.stop()]));

  async function ask(authorization: string | undefined, line = 'GET /v1/whoami', body?: string) {
    const [method = '', path] = line.split(' ');
    const response = await fetch(service.url + path, {
      method,
      headers: authorization === undefined ? {} : { authorization },
      body,
    });
    const answer = (await response.json()) as { code?: string; details?: object };
    return { status: response.status, code: answer.code, answer, headers: response.headers };
  }
  const bearer = async (claims: Record<string, unknown>) => `Bearer ${await service.issuer.token(claims)}`;

  it('takes tokens for each audience of an issuer, and for none of another issuer', async () => {
    for (const aud of [TEST_AUDIENCE, NEW_AUDIENCE]) {
      const token = await solo.token({ sub: 'subject-of-sam', aud });
      expect(await ask(`Bearer ${token}`)).toMatchObject({ status: 200 });
    }
    expect(await ask(`Bearer ${await solo.token({ sub: 'subject-of-sam', aud: 'other' })}`)).toMatchObject({
      status: 401,
    });
    expect(await ask(await bearer({ ...claimsOf('alice'), aud: NEW_AUDIENCE }))).toMatchObject({
      status: 401,
    });
  });

  describe('across tenants', () => {
    it.each([
      ['subject-of-olga', 'ops', true],
      ['subject-of-oscar', 'ops', false],
      ['subject-of-alice', 'acme', false],
    ] as const)(
      '"through ReadAll" reads a caller of the operations tenant alone: %s',
      async (sub, tenant, across) => {
        const claims = { sub, [ORGANIZATION_CLAIM]: TEST_TENANTS[tenant].organization };
        const { answer } = await ask(await bearer(claims));
        expect(answer).toMatchObject({ tenantId: TEST_TENANTS[tenant].tenantId, acrossTenants: across });
      },
    );
  });

  describe('authentication', () => {
    it.each([
      ['no Authorization header', undefined],
      ['another scheme', 'Basic YTpi'],
      ['a scheme alone', 'Bearer'],
      ['an empty token', 'Bearer '],
      ['no token at all', 'Bearer nonsense'],
    ])('answers 401 UNAUTHENTICATED with WWW-Authenticate to %s', async (_, authorization) => {
      const { status, code, headers } = await ask(authorization);
      expect([status, code]).toEqual([401, 'UNAUTHENTICATED']);
      expect(headers.get('www-authenticate')).toBe('Bearer');
    });

    it('answers 401 to a token of an issuer that no one knows, and never asks it for keys', async () => {
      const stranger = await TokenIssuer.start();
      const token = await stranger.token(claimsOf('alice'));
      expect(await ask(`Bearer ${token}`)).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
      expect(stranger.jwksFetches).toBe(0);
      await stranger.stop();
    });

    it('says nothing of why a token was refused', async () => {
      const expired = await service.issuer.token(claimsOf('alice'), { lifetimeSeconds: -60 });
      const [one, other] = [await ask(`Bearer ${expired}`), await ask('Bearer nonsense')];
      expect(one.answer).toEqual(other.answer);
    });

    it('takes the scheme in any case', async () => {
      const token = await service.issuer.token(claimsOf('alice'));
      expect(await ask(`bearer ${token}`)).toMatchObject({ status: 200 });
    });
  });

  describe('tenant and user', () => {
    it('resolve by the organisation of a shared issuer', async () => {
      const { answer } = await ask(await service.bearer('mallory'));
      expect(answer).toMatchObject({
        tenantId: TEST_TENANTS.globex.tenantId,
        userId: TEST_USERS.mallory.userId,
      });
    });

    it('resolve by the issuer alone where it is of a single tenant', async () => {
      const token = await solo.token({ sub: 'subject-of-sam', [ORGANIZATION_CLAIM]: 'org-globex' });
      expect(await ask(`Bearer ${token}`)).toMatchObject({
        status: 200,
        answer: { tenantId: TEST_TENANTS.acme.tenantId },
      });
    });

    it.each([
      ['names no tenant', { sub: 'subject-of-alice', [ORGANIZATION_CLAIM]: 'org-nowhere' }],
      ['is absent', { sub: 'subject-of-alice' }],
      ['differs by case', { sub: 'subject-of-alice', [ORGANIZATION_CLAIM]: 'ORG-ACME' }],
    ])('answer 403 TENANT_UNRESOLVED when the organisation %s', async (_, claims) => {
      expect(await ask(await bearer(claims))).toMatchObject({ status: 403, code: 'TENANT_UNRESOLVED' });
    });

    it.each([
      ['is no one', { ...claimsOf('alice'), sub: 'stranger' }],
      ["is another tenant's user", { ...claimsOf('mallory'), [ORGANIZATION_CLAIM]: 'org-acme' }],
      ['differs by case', { ...claimsOf('alice'), sub: 'SUBJECT-OF-ALICE' }],
    ])('answer 403 NOT_ENROLLED when the subject %s', async (_, claims) => {
      expect(await ask(await bearer(claims))).toMatchObject({ status: 403, code: 'NOT_ENROLLED' });
    });

    it('keep the subjects of two issuers apart', async () => {
      const token = await solo.token({ sub: 'subject-of-alice' });
      expect(await ask(`Bearer ${token}`)).toMatchObject({ status: 403, code: 'NOT_ENROLLED' });
    });
  });

  describe('permission', () => {
    it('answers 403 FORBIDDEN to a user without a role', async () => {
      expect(await ask(await service.bearer('dave'))).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    });

    it('that is missing names the route and the stock roles that have it, the narrowest first', async () => {
      const { answer } = await ask(await service.bearer('dave'));
      expect(answer).toMatchObject({
        message:
          'No role of the caller permits GET /v1/whoami. Of the stock roles these do: TenantAgent, ReadAll, TenantUser, TenantAdmin.',
        details: {
          apiMethod: 'GET',
          apiPath: '/v1/whoami',
          roles: ['TenantAgent', 'ReadAll', 'TenantUser', 'TenantAdmin'],
        },
      });
    });

    it('goes by the method: a reader cannot write', async () => {
      const sam = `Bearer ${await solo.token({ sub: 'subject-of-sam' })}`;
      expect(await ask(sam, 'GET /v1/reviews')).toMatchObject({ status: 200 });
      expect(await ask(sam, 'POST /v1/reviews', '{"name":"x"}')).toMatchObject({
        status: 403,
        code: 'FORBIDDEN',
      });
    });

    it('goes by the template: advance does not grant override-advance', async () => {
      const line = 'POST /v1/reviews/merge-queue/override-advance';
      expect(await ask(await service.bearer('carol'), line, '{"name":"x"}')).toMatchObject({ status: 403 });
      expect(await ask(await service.bearer('alice'), line, '{"name":"x"}')).toMatchObject({ status: 200 });
    });
  });

  describe('"Order of refusals: 401, then 403, then INVALID_PATH_ID, then the body"', () => {
    it('401 before everything', async () => {
      expect(await ask(undefined, `PATCH ${NO_ID}`, '{')).toMatchObject({ status: 401 });
    });

    it('403 before the path id', async () => {
      expect(await ask(await service.bearer('dave'), `PATCH ${NO_ID}`, '{')).toMatchObject({ status: 403 });
    });

    it('INVALID_PATH_ID before the body, naming the parameter and the value received', async () => {
      const { status, answer } = await ask(await service.bearer('alice'), `PATCH ${NO_ID}`, '{');
      expect(status).toBe(400);
      expect(answer).toEqual({
        code: 'INVALID_PATH_ID',
        message: 'review_id must be a UUID, not "not-a-uuid".',
        details: { parameter: 'review_id', value: 'not-a-uuid' },
      });
    });

    it('and then the body', async () => {
      const line = `PATCH /v1/reviews/${TEST_TENANTS.acme.tenantId}/status`;
      expect(await ask(await service.bearer('alice'), line, '{')).toMatchObject({ code: 'INVALID_BODY' });
    });
  });

  describe('a path id', () => {
    it('is taken in any case, and handed on in lower case', async () => {
      const id = 'ABCDEF00-0000-0000-0000-000000000000';
      expect(await ask(await service.bearer('alice'), `GET /v1/reviews/${id}`)).toMatchObject({
        status: 200,
        answer: { reviewId: id.toLowerCase() },
      });
    });

    it.each(['%00', '..%2f..', '%F0%9F%98%80', 'x'.repeat(4000), "1'--", '%2525'])(
      'is INVALID_PATH_ID as %.30s',
      async (id) => {
        const { answer, code } = await ask(await service.bearer('alice'), `GET /v1/reviews/${id}`);
        expect(code).toBe('INVALID_PATH_ID');
        expect(JSON.stringify(answer).length).toBeLessThan(600);
      },
    );
  });
});
