import { isId } from '@plat/contracts/core';
import { applyDirectory } from '@plat/database';
import {
  claimsOf,
  ORGANIZATION_CLAIM,
  startTestService,
  TEST_AUDIENCE,
  TEST_TENANTS,
  TEST_USERS,
  testDirectory,
  type TestService,
  TokenIssuer,
} from '@plat/testing';
import { auditService } from '../service';

type Event = Record<string, string>;

describe('an event says who called, as GET /v1/audit-events answers it', () => {
  let service: TestService;
  let solo: TokenIssuer;
  beforeAll(async () => {
    [service, solo] = await Promise.all([startTestService(auditService), TokenIssuer.start()]);
    const directory = testDirectory(service.issuer.url);
    await applyDirectory(service.database.ownerUrl, {
      ...directory,
      issuers: [
        ...directory.issuers,
        { name: 'solo', url: solo.url, audience: TEST_AUDIENCE, tenant: 'globex' },
      ],
      users: [
        ...directory.users,
        { tenant: 'globex', username: 'sam', issuer: 'solo', subject: 'subject-of-sam', roles: ['ReadAll'] },
      ],
    });
  });
  afterAll(() => Promise.all([service.stop(), solo.stop()]));

  /** The events that the caller of this token finds, the newest being the request itself. */
  async function events(token: string, headers: Record<string, string> = {}): Promise<Event[]> {
    const response = await fetch(`${service.url}/v1/audit-events`, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    return ((await response.json()) as { events: Event[] }).events;
  }
  const alice = () => service.issuer.token(claimsOf('alice'));

  it('the resolved platform user, "not the identity provider\'s subject", and the subject next to it', async () => {
    const [event] = await events(await alice());
    expect(event).toMatchObject({
      tenantId: TEST_TENANTS.acme.tenantId,
      erunUserId: TEST_USERS.alice.userId,
      externalUserId: 'subject-of-alice',
      externalIssuerId: service.issuer.url,
    });
  });

  it('externalOrgId is "present only for an org-scoped (shared) issuer"', async () => {
    const [event] = await events(await alice());
    expect(event).toHaveProperty('externalOrgId', TEST_TENANTS.acme.organization);
  });

  it('externalOrgId is "omitted for a single-tenant issuer", whatever its token says', async () => {
    const [event] = await events(
      await solo.token({ sub: 'subject-of-sam', [ORGANIZATION_CLAIM]: 'org-acme' }),
    );
    expect(event).toMatchObject({ externalIssuerId: solo.url, tenantId: TEST_TENANTS.globex.tenantId });
    expect(event).not.toHaveProperty('externalOrgId');
  });

  it('"A call driven from the command-line client reads type API"', async () => {
    const [event] = await events(await alice(), { 'user-agent': 'plat/1.0.0 linux-x64 node-v20.20.0' });
    expect(event).toMatchObject({ type: 'API', apiMethod: 'GET', apiPath: '/v1/audit-events' });
    expect(event).not.toHaveProperty('cliCommand');
  });

  it('"Such a call carries the extra header X-Plat-Mcp-Tool naming the tool, and the row carries mcpTool"', async () => {
    const [event] = await events(await alice(), { 'x-plat-mcp-tool': 'review_list' });
    expect(event).toMatchObject({ type: 'MCP', mcpTool: 'review_list', erunUserId: TEST_USERS.alice.userId });
    expect(event).not.toHaveProperty('apiPath');
  });

  it('auditEventId is a UUIDv7, "unique per event"', async () => {
    const token = await alice();
    await Promise.all(Array.from({ length: 10 }, () => events(token)));
    const ids = (await events(token)).map(({ auditEventId }) => auditEventId!);
    expect(ids.every((id) => isId(id) && id[14] === '7')).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.length).toBeGreaterThan(10);
  });
});
