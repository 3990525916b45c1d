import { probeService, startTestService, type TestService } from '@plat/testing';

describe('authentication while the database cannot be asked', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(probeService());
  });
  afterAll(() => service.stop());

  const whoami = () => service.send('alice', 'GET /v1/whoami');

  it('answers 503, and not 401, while the known issuers cannot be determined', async () => {
    const { query } = service.database;
    await query('REVOKE EXECUTE ON FUNCTION identity.known_issuers() FROM plat_platform');
    expect(await whoami()).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    await query('GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_platform');
    expect(await whoami()).toMatchObject({ status: 200 });
  });
});

describe('the Authorization header', () => {
  let service: TestService;
  let token: string;
  beforeAll(async () => {
    service = await startTestService(probeService());
    token = (await service.bearer('alice')).replace(/^Bearer /, '');
  });
  afterAll(() => service.stop());

  const statusOf = async (authorization: string) =>
    (await fetch(`${service.url}/v1/whoami`, { headers: { authorization } })).status;

  it.each(['Bearer T', 'bearer T', 'BEARER   T'])('is the scheme and one token: %s', async (form) => {
    expect(await statusOf(form.replace(/\bT\b/, token))).toBe(200);
  });

  it.each([
    'Bearer T T',
    'Bearer T x',
    'Bearer T,T',
    'Bearer T, Bearer T',
    'Bearer T;',
    'x Bearer T',
    'Bearer,T',
    'Bearer "T"',
    'BearerT',
    'Bearer\tT',
    'Token T',
    'T',
    'Bearer',
  ])('is refused with 401 in any other form: %j', async (form) => {
    expect(await statusOf(form.replaceAll(/\bT\b/g, token))).toBe(401);
  });
});
