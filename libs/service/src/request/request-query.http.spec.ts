import { probeService, startTestService, type TestService } from '@plat/testing';

describe('a query', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(probeService());
  });
  afterAll(() => service.stop());

  const get = (query: string) => service.send('alice', `GET /v1/reviews?${query}`);

  it('may be empty', async () => {
    for (const query of ['', '&', '&&=&']) {
      expect(await get(query)).toMatchObject({ status: 200, body: { query: {} } });
    }
  });

  it('has its values decoded', async () => {
    const { body } = await get('sourceBranch=a%20b%2Fc+d%26');
    expect(body.query).toEqual({ sourceBranch: 'a b/c d&' });
  });

  it.each(['limit=', 'limit', 'limit=&sourceBranch='])(
    '"An empty value means not given": %s',
    async (query) => {
      expect(await get(query)).toMatchObject({ status: 200, body: { query: {} } });
    },
  );

  it.each(['limit=1&limit=2', 'limit=1&limit=1', 'limit=1&limit=', 'limit=&limit='])(
    'names a parameter only once: %s',
    async (query) => {
      expect(await get(query)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_QUERY', details: { field: 'limit' } },
      });
    },
  );

  it.each(['limit=x', 'limit=1.5', 'limit=%31%00', 'sourceBranch=a%00b', `sourceBranch=${'x'.repeat(17)}`])(
    'is INVALID_QUERY where a value cannot be read: %s',
    async (query) => {
      expect(await get(query)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_QUERY', details: { field: query.split('=')[0] } },
      });
    },
  );

  it.each([
    'unknown=1',
    'unknown=1&unknown=2',
    '__proto__=x',
    '__proto__[polluted]=x',
    'constructor=x',
    'limit[]=x',
    'LIMIT=x',
  ])('ignores a parameter that it does not know: %s', async (query) => {
    expect(await get(query)).toMatchObject({ status: 200, body: { query: {} } });
  });

  it.each(['sourceBranch=%zz', 'sourceBranch=%', 'sourceBranch=%ED%A0%80', 'sourceBranch=%FF'])(
    'is never a fault of the service: %s',
    async (query) => {
      expect([200, 400]).toContain((await get(query)).status);
    },
  );
});
