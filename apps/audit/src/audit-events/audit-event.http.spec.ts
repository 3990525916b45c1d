import { isId, newId } from '@plat/contracts/core';
import { startTestService, TEST_TENANTS, TEST_USERS, type TestService, type TestTenant } from '@plat/testing';
import { auditService } from '../service';

const DAY = '2020-05-01T10:00';

/** A row that a case inserts into the trail. */
interface Put {
  tenant?: TestTenant;
  /** Seconds after 10:00 on that day, with two digits and any decimals. */
  at: string;
  user?: string;
  mcp?: string;
  method?: string;
  path?: string;
}

describe('GET /v1/audit-events', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(auditService);
  });
  // With the logs that have sealed the rows. The logs come first, as in what seals, so that neither waits for the other.
  beforeEach(() =>
    service.database.query(
      'TRUNCATE ledger.logs, ledger.entries, ledger.tiles, ledger.erasures, audit.audit_events',
    ),
  );
  afterAll(() => service.stop());

  async function put(...rows: Put[]): Promise<string[]> {
    const ids = rows.map(newId);
    for (const [
      place,
      { tenant = 'acme', at, user, mcp, method = 'GET', path = '/v1/reviews' },
    ] of rows.entries()) {
      await service.database.query(
        `INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
           external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, api_parameters, created_at)
         VALUES ($1, $2, 'r', $3, 's', 'https://id.example', 'o', $4, $5, $6, $7, '{"reason": "secret"}', $8)`,
        [
          TEST_TENANTS[tenant].tenantId,
          ids[place],
          user ?? TEST_USERS.bob.userId,
          mcp ? 'MCP' : 'API',
          method,
          path,
          mcp ?? null,
          `${DAY}:${at}Z`,
        ],
      );
    }
    return ids;
  }
  /** Lists the rows that a case inserted, without those of its own requests, which are later than `until`. */
  const list = (query = '', user: 'alice' | 'mallory' | 'olga' | 'dave' = 'alice') =>
    service.send(user, `GET /v1/audit-events?until=${DAY}:59.999999Z&${query}`);
  const idsOf = ({ body }: { body: { events: { auditEventId: string }[] } }) =>
    body.events.map(({ auditEventId }) => auditEventId);

  describe('200', () => {
    it('answers the events newest first, in the fields of the contract and no other', async () => {
      const [older, newer] = await put({ at: '01.5' }, { at: '02' });
      const { status, body } = await list();
      expect(status).toBe(200);
      expect(body).toEqual({
        events: [
          expect.objectContaining({ auditEventId: newer, createdAt: `${DAY}:02Z` }),
          {
            auditEventId: older,
            tenantId: TEST_TENANTS.acme.tenantId,
            erunUserId: TEST_USERS.bob.userId,
            externalUserId: 's',
            externalIssuerId: 'https://id.example',
            externalOrgId: 'o',
            type: 'API',
            apiMethod: 'GET',
            apiPath: '/v1/reviews',
            createdAt: `${DAY}:01.5Z`,
          },
        ],
      });
    });

    it('an empty trail is an empty list', async () => {
      expect((await list()).body).toEqual({ events: [] });
    });

    it('"never contains cliParameters, mcpToolParameters or apiParameters"', async () => {
      await put({ at: '01' });
      expect(JSON.stringify((await list()).body)).not.toMatch(/secret|parameters/i);
    });

    it('a row of type MCP has mcpTool "instead of apiMethod/apiPath"', async () => {
      await put({ at: '01', mcp: 'review_requeue' });
      const [event] = (await list()).body.events;
      expect(event).toMatchObject({ type: 'MCP', mcpTool: 'review_requeue' });
      expect(Object.keys(event)).not.toEqual(expect.arrayContaining(['apiMethod']));
      expect(Object.keys(event)).not.toEqual(expect.arrayContaining(['apiPath']));
    });

    it('an older row of type MCP, without apiMethod and apiPath, is listed as well', async () => {
      const [id] = await put({ at: '01', mcp: 'review_show' });
      await service.database.query(
        'UPDATE audit.audit_events SET api_method = NULL, api_path = NULL WHERE audit_event_id = $1',
        [id],
      );
      expect((await list()).body.events[0]).toMatchObject({ type: 'MCP', mcpTool: 'review_show' });
    });

    it('lists the row of the request itself, which is written before the request acts', async () => {
      const { body } = await service.send('alice', 'GET /v1/audit-events');
      expect(body.events[0]).toMatchObject({
        apiPath: '/v1/audit-events',
        erunUserId: TEST_USERS.alice.userId,
      });
      expect(isId(body.events[0].auditEventId)).toBe(true);
    });
  });

  describe('filters', () => {
    it('since and until are inclusive to the microsecond', async () => {
      const ids = await put({ at: '01.000001' }, { at: '01.000002' }, { at: '01.000003' });
      const query = `since=${DAY}:01.000002Z&until=${DAY}:01.000002Z`;
      expect(idsOf(await service.send('alice', `GET /v1/audit-events?${query}`))).toEqual([ids[1]]);
    });

    it('since takes an offset', async () => {
      const ids = await put({ at: '01' }, { at: '03' });
      expect(idsOf(await list('since=2020-05-02T09:00:02%2B23:00'))).toEqual([ids[1]]);
    });

    it.each([
      ['erunUserId', `erunUserId=${TEST_USERS.carol.userId}`, [1]],
      ['erunUserId in upper case', `erunUserId=${TEST_USERS.carol.userId.toUpperCase()}`, [1]],
      ['type API', 'type=API', [3, 1, 0]],
      ['type MCP', 'type=MCP', [2]],
      ['type CLI, which is not written today', 'type=CLI', []],
      ['apiMethod', 'apiMethod=POST', [3]],
      ['apiMethod exactly', 'apiMethod=post', []],
      ['apiPath', 'apiPath=/v1/releases', [3, 1]],
      ['apiMethod with apiPath', 'apiMethod=GET&apiPath=/v1/releases', [1]],
      [
        'a template, which also finds rows of type MCP',
        `apiPath=${encodeURIComponent('/v1/reviews/{review_id}')}`,
        [2],
      ],
      ['apiMethod, which also finds rows of type MCP', 'apiMethod=GET', [2, 1, 0]],
      [
        'several filters',
        `type=API&apiMethod=GET&since=${DAY}:02Z&erunUserId=${TEST_USERS.carol.userId}`,
        [1],
      ],
      [
        'an empty value, which means not given',
        'type=&apiMethod=&erunUserId=&since=&cursor=&limit=',
        [3, 2, 1, 0],
      ],
    ])('by %s', async (_, query, places) => {
      const ids = await put(
        { at: '01' },
        { at: '02', user: TEST_USERS.carol.userId, path: '/v1/releases' },
        { at: '03', mcp: 'review_show', path: '/v1/reviews/{review_id}' },
        { at: '04', method: 'POST', path: '/v1/releases' },
      );
      expect(idsOf(await list(query))).toEqual(places.map((place) => ids[place]));
    });
  });

  describe('paging', () => {
    it('nextCursor is "a createdAt timestamp with nanoseconds, a comma, then the id" of the last row', async () => {
      const ids = await put({ at: '01' }, { at: '02.25' }, { at: '03' });
      const { body } = await list('limit=2');
      expect(body.nextCursor).toBe(`${DAY}:02.250000000Z,${ids[1]}`);
    });

    it('walks the whole trail once, also where rows share their moment', async () => {
      const ids = await put(...['01', '01', '01', '02.000001', '02', '01', '03'].map((at) => ({ at })));
      const seen: string[] = [];
      let cursor: string | undefined = '';
      while (cursor !== undefined) {
        const answer = await list(`limit=2&cursor=${encodeURIComponent(cursor)}`);
        seen.push(...idsOf(answer));
        cursor = answer.body.nextCursor as string | undefined;
      }
      expect(seen).toHaveLength(7);
      expect(new Set(seen)).toEqual(new Set(ids));
    });

    it('omits nextCursor when the page reaches the end exactly', async () => {
      await put({ at: '01' }, { at: '02' });
      expect((await list('limit=2')).body).not.toHaveProperty('nextCursor');
    });

    it('is a keyset: rows that arrive meanwhile shift nothing', async () => {
      const ids = await put({ at: '01' }, { at: '02' });
      const { nextCursor } = (await list('limit=1')).body;
      await put({ at: '03' });
      expect(idsOf(await list(`limit=1&cursor=${nextCursor}`))).toEqual([ids[0]]);
    });

    it.each([
      ['50 by default', '', 50],
      ['as asked', 'limit=3', 3],
      ['200 at most', 'limit=500', 200],
      ['200 at most, however large', `limit=${'9'.repeat(30)}`, 200],
      ['the default below 1', 'limit=0', 50],
      ['the default below 0', 'limit=-7', 50],
    ])('has %s events a page', async (_, query, size) => {
      await service.database.query(
        `INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
           external_issuer_id, type, api_method, api_path, created_at)
         SELECT $1, gen_random_uuid(), 'r', gen_random_uuid(), 's', 'i', 'API', 'GET', '/v1/reviews',
                $2::timestamptz + n * interval '1 millisecond' FROM generate_series(1, 201) n`,
        [TEST_TENANTS.acme.tenantId, `${DAY}:00Z`],
      );
      expect((await list(query)).body.events).toHaveLength(size);
    });
  });

  describe('400 INVALID_QUERY', () => {
    it.each([
      ['since', 'yesterday'],
      ['since', '2026-02-30T00:00:00Z'],
      ['until', '294277-01-01T00:00:00Z'],
      ['until', '2026-01-01'],
      ['erunUserId', 'alice'],
      ['type', 'api'],
      ['type', 'FOO'],
      ['cursor', 'abc'],
      ['cursor', `2026-01-01T00:00:00Z,7`],
      ['limit', 'ten'],
      ['limit', '1.5'],
      ['limit', '1e2'],
      ['apiPath', `%00`],
      ['apiMethod', 'x'.repeat(17)],
    ])('%s=%s', async (field, value) => {
      const answer = await service.send('alice', `GET /v1/audit-events?${field}=${value}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_QUERY', details: { field } } });
    });
  });

  describe('tenants', () => {
    it('"A company-tenant caller reads its own tenant\'s rows"', async () => {
      const [ours, theirs] = await put({ at: '01' }, { at: '02', tenant: 'globex' });
      expect(idsOf(await list())).toEqual([ours]);
      expect(idsOf(await list('', 'mallory'))).toEqual([theirs]);
    });

    it('"A caller of the operations tenant reads across every tenant", page by page', async () => {
      const ids = await put({ at: '01' }, { at: '02', tenant: 'globex' }, { at: '03', tenant: 'ops' });
      const first = await list('limit=2', 'olga');
      expect(idsOf(first)).toEqual([ids[2], ids[1]]);
      expect(idsOf(await list(`limit=2&cursor=${first.body.nextCursor}`, 'olga'))).toEqual([ids[0]]);
    });

    it('an erunUserId or a cursor of another tenant selects no row of that tenant', async () => {
      const [, theirs] = await put(
        { at: '01' },
        { at: '02', tenant: 'globex', user: TEST_USERS.mallory.userId },
      );
      expect((await list(`erunUserId=${TEST_USERS.mallory.userId}`)).body.events).toEqual([]);
      expect((await list(`cursor=${DAY}:02.000000000Z,${theirs}`)).body.events).toHaveLength(1);
    });
  });

  it('403: "when the caller\'s role has no read permission for GET on the path"', async () => {
    expect(await list('', 'dave')).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
  });
});
