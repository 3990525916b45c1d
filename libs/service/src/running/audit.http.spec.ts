import { probeService, startTestService, TEST_TENANTS, TEST_USERS, type TestService } from '@plat/testing';

const WHOAMI = 'GET /v1/whoami';
const OVERRIDE = 'POST /v1/reviews/merge-queue/override-advance';

describe('the audit row of a request', () => {
  let service: TestService;
  let handled = 0;
  beforeAll(async () => {
    service = await startTestService(probeService(() => void (handled += 1)));
  });
  afterAll(() => service.stop());

  /** Sends requests. @returns the audit rows that they left */
  async function rowsOf(requests: () => Promise<unknown>) {
    const [before] = await service.database.query<{ n: string }>('SELECT clock_timestamp()::text AS n');
    await requests();
    return service.database.query<Record<string, unknown>>(
      'SELECT * FROM audit.audit_events WHERE created_at > $1::timestamptz ORDER BY created_at',
      [before!.n],
    );
  }
  async function call(headers: Record<string, string>) {
    const authorization = await service.bearer('alice');
    return fetch(`${service.url}/v1/whoami`, { headers: { authorization, ...headers } });
  }

  it('is exactly one, and says who did what by the canonical template', async () => {
    const review = TEST_TENANTS.acme.tenantId;
    const rows = await rowsOf(() => service.send('alice', `GET /v1/reviews/${review}?secret=1`));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      tenant_id: TEST_TENANTS.acme.tenantId,
      erun_user_id: TEST_USERS.alice.userId,
      external_user_id: 'subject-of-alice',
      external_issuer_id: service.issuer.url,
      external_org_id: TEST_TENANTS.acme.organization,
      type: 'API',
      api_method: 'GET',
      api_path: '/v1/reviews/{review_id}',
      mcp_tool: null,
      api_parameters: null,
    });
  });

  it("has the request id of the answer, which is the service's own, and the caller's next to it", async () => {
    let answered: (string | null)[] = [];
    const rows = await rowsOf(async () => {
      const mine = { 'x-request-id': 'joined' };
      const answers = [await call(mine), await call(mine), await call({})];
      answered = answers.map(({ headers }) => headers.get('x-request-id'));
    });
    expect(new Set(answered).size).toBe(3);
    expect(rows.map((row) => [row.request_id, row.caller_request_id])).toEqual([
      [answered[0], 'joined'],
      [answered[1], 'joined'],
      [answered[2], null],
    ]);
  });

  it.each(['a b', 'x'.repeat(65), '"}', 'a,b', ''])(
    'drops an invalid request id of the caller: %.10j',
    async (given) => {
      const rows = await rowsOf(() => call({ 'x-request-id': given }));
      expect(rows).toMatchObject([{ caller_request_id: null }]);
    },
  );

  it('is there for authorized requests that are then refused', async () => {
    const rows = await rowsOf(async () => {
      await service.send('alice', 'GET /v1/reviews/nonsense');
      await service.send('alice', 'POST /v1/reviews', { name: '' });
      await service.send('alice', 'GET /v1/reviews?limit=x');
    });
    expect(rows.map((row) => row.api_path)).toEqual([
      '/v1/reviews/{review_id}',
      '/v1/reviews',
      '/v1/reviews',
    ]);
  });

  it('is not there for 401, 403, unknown routes and public ones', async () => {
    const rows = await rowsOf(async () => {
      await fetch(`${service.url}/v1/whoami`);
      await service.send('dave', WHOAMI);
      await service.send('alice', 'GET /v1/nowhere');
      await service.send('alice', 'GET /v1/platform');
      await call({
        authorization: `Bearer ${await service.issuer.token({ sub: 'stranger', org: 'org-acme' })}`,
      });
    });
    expect(rows).toEqual([]);
  });

  describe('of a tool', () => {
    it.each(['review_show', 'review_record-build', 'a', `a${'b'.repeat(63)}`])(
      'has mcpTool, and method and path next to it: %s',
      async (tool) => {
        const rows = await rowsOf(() => call({ 'x-plat-mcp-tool': tool }));
        expect(rows).toMatchObject([
          { type: 'MCP', mcp_tool: tool, api_method: 'GET', api_path: '/v1/whoami' },
        ]);
      },
    );

    it('is still an API row for override-advance, with its path and its reason', async () => {
      const rows = await rowsOf(async () =>
        fetch(service.url + OVERRIDE.slice(5), {
          method: 'POST',
          headers: { authorization: await service.bearer('alice'), 'x-plat-mcp-tool': 'queue_override' },
          body: JSON.stringify({ name: 'x', reason: 'hotfix' }),
        }),
      );
      expect(rows).toMatchObject([
        { type: 'API', mcp_tool: null, api_path: OVERRIDE.slice(5), api_parameters: { reason: 'hotfix' } },
      ]);
    });

    it.each(['', ' ', `a${'b'.repeat(64)}`, 'Review', '1tool', 'a.b', 'a b'])(
      'is an API row when the header is "blank or over-long": %.20j',
      async (tool) => {
        const rows = await rowsOf(() => call({ 'x-plat-mcp-tool': tool }));
        expect(rows).toMatchObject([{ type: 'API', mcp_tool: null, api_path: '/v1/whoami' }]);
      },
    );
  });

  describe('of an override', () => {
    it('stores the reason, and nothing else of the body', async () => {
      const rows = await rowsOf(() =>
        service.send('alice', OVERRIDE, { name: 'x', reason: 'hotfix', tenantId: 'y' }),
      );
      expect(rows).toMatchObject([{ api_path: OVERRIDE.slice(5), api_parameters: { reason: 'hotfix' } }]);
    });

    it.each([
      ['is no text', { reason: 7 }, null],
      ['is absent', {}, null],
      ['holds NUL', { reason: 'a\0b' }, { reason: 'ab' }],
      ['holds a lone surrogate', { reason: 'a\ud800b' }, { reason: 'a\ufffdb' }],
      ['is too long', { reason: 'x'.repeat(20_000) }, { reason: 'x'.repeat(16_384) }],
    ])('is written all the same when the reason %s', async (_, body, parameters) => {
      const rows = await rowsOf(() => service.send('alice', OVERRIDE, { name: 'x', ...body }));
      expect(rows).toMatchObject([{ api_parameters: parameters }]);
    });

    it('stores no reason on any other route', async () => {
      const rows = await rowsOf(() =>
        service.send('alice', 'POST /v1/reviews', { name: 'x', reason: 'mine' }),
      );
      expect(rows).toMatchObject([{ api_parameters: null }]);
    });
  });

  describe('"is durable before the handler acts"', () => {
    it('a request that cannot be audited is answered 503 and does nothing', async () => {
      const { query } = service.database;
      await query('REVOKE EXECUTE ON FUNCTION audit.record_requests(jsonb) FROM plat_platform');
      const before = handled;
      const answer = await service.send('alice', WHOAMI);
      await query('GRANT EXECUTE ON FUNCTION audit.record_requests(jsonb) TO plat_platform');
      expect(answer).toMatchObject({
        status: 503,
        body: {
          code: 'SERVICE_UNAVAILABLE',
          message: 'The service cannot answer right now, and nothing was done; retry.',
        },
      });
      expect(handled).toBe(before);
      expect(await service.send('alice', WHOAMI)).toMatchObject({ status: 200 });
    });

    it('a request whose caller cannot be looked up is answered 503 and does nothing', async () => {
      const { query } = service.database;
      await query('REVOKE EXECUTE ON FUNCTION identity.resolve_caller(text, text, text) FROM plat_platform');
      const before = handled;
      const rows = await rowsOf(async () => {
        expect(await service.send('bob', WHOAMI)).toMatchObject({ status: 503 });
      });
      await query('GRANT EXECUTE ON FUNCTION identity.resolve_caller(text, text, text) TO plat_platform');
      expect([rows, handled]).toEqual([[], before]);
    });
  });
});
