import { startTestService, TEST_USERS, type TestService } from '@plat/testing';
import type { PlatformConfig } from '../config';
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

  it('200: what the deployment is configured with, each under its name', async () => {
    const configured: Partial<PlatformConfig> = {
      PLATFORM_ISSUER: 'https://id.example',
      PLATFORM_API_URL: 'https://api.example',
      PLATFORM_CONSOLE_URL: 'https://console.example',
      PLATFORM_CLI_CLIENT_ID: 'plat-cli',
      PLATFORM_CONSOLE_CLIENT_ID: 'plat-console',
      PLATFORM_BRAND: 'Plat',
      PLATFORM_DOCS_URL: 'https://docs.example',
      VERSION: '1.2.3',
      PLATFORM_SERVICES_ZONE: 'services.example',
    };
    const described = await startTestService({
      ...platformService,
      module: (context, config: PlatformConfig) =>
        platformService.module(context, Object.assign(config, configured)),
    });
    const body: unknown = await (await fetch(`${described.url}/v1/platform`)).json();
    await described.stop();
    expect(body).toEqual({
      issuer: 'https://id.example',
      apiUrl: 'https://api.example',
      consoleUrl: 'https://console.example',
      cliClientId: 'plat-cli',
      consoleClientId: 'plat-console',
      brand: 'Plat',
      docsUrl: 'https://docs.example',
      version: '1.2.3',
      servicesZone: 'services.example',
    });
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

describe('GET /', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({
      ...platformService,
      module: (context, config: PlatformConfig) =>
        platformService.module(
          context,
          Object.assign(config, {
            PLATFORM_BRAND: 'Plat & <Sons>',
            PLATFORM_API_URL: 'https://api.example',
            PLATFORM_DOCS_URL: 'https://docs.example/"start',
          }),
        ),
    });
  });
  afterAll(() => service.stop());

  const open = (accept: string) => fetch(service.url, { headers: { accept } });

  it("200 for a person's browser: a page that says what this is and where to go", async () => {
    const answer = await open('text/html,application/xhtml+xml,*/*;q=0.8');
    const html = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(html).toContain('<h1>Plat &amp; &lt;Sons&gt;</h1>');
    expect(html).toContain('plat cloud init my-alias --api-url https://api.example');
    expect(html).toContain('href="https://docs.example/&quot;start"');
    expect(html).not.toContain('The console');
  });

  it('runs no script, and stands in no frame', async () => {
    const { headers } = await open('text/html');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('404 for a program, as for every path that is no route', async () => {
    const answer = await open('application/json');
    expect([answer.status, await answer.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'NOT_FOUND' }),
    ]);
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
