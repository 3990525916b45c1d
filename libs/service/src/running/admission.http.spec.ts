import { applyDirectory, type Directory } from '@plat/database';
import { probeService, startTestService, TEST_TENANTS, testDirectory, type TestService } from '@plat/testing';

/** Each case changes the directory from outside, as another replica or the database job does; nothing is forgotten here. */
describe('a caller whom this process has cached', () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService(probeService(({ tenantId }) => ({ tenantId })));
  });
  afterEach(() => service.stop());

  const change = (edit: (directory: Directory) => void) => {
    const directory = testDirectory(service.issuer.url);
    edit(directory);
    return applyDirectory(service.database.ownerUrl, directory);
  };
  const rows = async () => (await service.database.query('SELECT FROM audit.audit_events')).length;
  const close = (reason: string, apiUrl: string | null = null) =>
    service.database.query(
      'INSERT INTO identity.closed_tenants (tenant_id, reason, api_url) VALUES ($1, $2, $3)',
      [TEST_TENANTS.acme.tenantId, reason, apiUrl],
    );

  it.each<[string, number, string, () => Promise<unknown>]>([
    [
      'is disabled',
      403,
      'USER_DISABLED',
      () =>
        change(({ users }) => void (users.find(({ username }) => username === 'bob')!.state = 'disabled')),
    ],
    [
      'is removed',
      403,
      'USER_DISABLED',
      () => change(({ users }) => void (users.find(({ username }) => username === 'bob')!.state = 'removed')),
    ],
    [
      'is of an issuer that is disabled',
      401,
      'UNAUTHENTICATED',
      () => change(({ issuers }) => void (issuers[0]!.state = 'disabled')),
    ],
    [
      'is of an organization that is disabled',
      403,
      'TENANT_UNRESOLVED',
      () =>
        change(({ issuers }) => {
          const { organizations } = issuers[0]!;
          issuers[0]!.organizations = {
            ...organizations,
            [TEST_TENANTS.acme.organization]: { tenant: 'acme', state: 'disabled' },
          };
        }),
    ],
    ['is of a tenant that is disabled', 403, 'TENANT_DISABLED', () => close('disabled')],
    ['is of a tenant that is being deleted', 403, 'TENANT_DISABLED', () => close('ending')],
    ['is of a tenant that is being moved', 503, 'TENANT_MOVING', () => close('switching')],
    ['is of a tenant that has moved', 421, 'TENANT_MOVED', () => close('moved', 'https://two.example')],
  ])(
    'is refused from the next request on, without a row in the trail, who %s',
    async (_, status, code, close) => {
      const ask = (user: 'bob' | 'mallory' = 'bob') => service.send(user, 'GET /v1/whoami');
      expect((await ask()).status).toBe(200);
      await ask('mallory');
      const before = await rows();
      await close();
      const refused = await ask();
      expect(refused).toMatchObject({ status, body: { code } });
      expect(refused.headers.get('www-authenticate')).toBe(status === 401 ? 'Bearer' : null);
      expect(refused.headers.get('retry-after')).toBe(status === 503 ? '2' : null);
      expect(refused.body.details).toEqual(status === 421 ? { apiUrl: 'https://two.example' } : undefined);
      expect(await rows()).toBe(before);
      // The refusal is of this caller alone, also in a group of rows that are written together.
      if (code === 'UNAUTHENTICATED') return;
      const together = await Promise.all([ask(), ask('mallory'), ask(), ask('mallory')]);
      expect(together.map((answer) => answer.status)).toEqual([status, 200, status, 200]);
    },
  );

  it('is not enrolled, if it was removed and this process does not remember it any more', async () => {
    await change(({ users }) => void (users.find(({ username }) => username === 'bob')!.state = 'removed'));
    const refused = await service.send('bob', 'GET /v1/whoami');
    expect(refused).toMatchObject({ status: 403, body: { code: 'NOT_ENROLLED' } });
  });
});
