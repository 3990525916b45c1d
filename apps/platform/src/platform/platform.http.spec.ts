import { startTestService, TEST_USERS, type TestService } from '@plat/testing';
import { platformService } from '../service';

const FIELDS = [
  'issuer',
  'apiUrl',
  'consoleUrl',
  'cliClientId',
  'consoleClientId',
  'brand',
  'docsUrl',
  'version',
  'servicesZone',
];

describe('GET /v1/platform', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(platformService);
  });
  afterAll(() => service.stop());

  it('200 without sign-in: all strings, "" when unset', async () => {
    const response = await fetch(`${service.url}/v1/platform`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(Object.fromEntries(FIELDS.map((field) => [field, ''])));
  });

  it('200 whatever the Authorization header says', async () => {
    const response = await fetch(`${service.url}/v1/platform`, {
      headers: { authorization: 'Bearer nonsense' },
    });
    expect(response.status).toBe(200);
  });

  it('leaves no row in the trail', async () => {
    await service.send('alice', 'GET /v1/platform');
    expect(
      await service.database.query(`SELECT FROM audit.audit_events WHERE api_path = '/v1/platform'`),
    ).toEqual([]);
  });
});

describe('GET /v1/whoami', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(platformService);
  });
  afterAll(() => service.stop());

  it('200: the tenant, the user, the roles, and what the token said', async () => {
    expect(await service.send('carol', 'GET /v1/whoami')).toMatchObject({
      status: 200,
      body: {
        tenantId: '00000000-0000-7000-8000-0000000000a0',
        userId: TEST_USERS.carol.userId,
        username: 'carol',
        roles: ['Advancer'],
        issuer: service.issuer.url,
        subject: 'subject-of-carol',
      },
    });
  });

  it('401 without a token', async () => {
    expect((await fetch(`${service.url}/v1/whoami`)).status).toBe(401);
  });

  it('403 for a user without a role', async () => {
    expect(await service.send('dave', 'GET /v1/whoami')).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
  });
});
