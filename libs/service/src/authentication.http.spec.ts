import { probeService, startTestService, type TestService } from '@plat/testing';

describe('authentication while the database cannot be asked', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(probeService());
  });
  afterAll(() => service.stop());

  const whoami = () => service.send('alice', 'GET /v1/whoami');

  it('answers 503, and not 401, as long as it cannot be told whose issuers are known', async () => {
    const { query } = service.database;
    await query('REVOKE EXECUTE ON FUNCTION identity.known_issuers() FROM plat_platform');
    expect(await whoami()).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    await query('GRANT EXECUTE ON FUNCTION identity.known_issuers() TO plat_platform');
    expect(await whoami()).toMatchObject({ status: 200 });
  });
});
