import { randomUUID } from 'node:crypto';
import { STOCK_ROLES } from '@plat/database';
import { startTestService, type TestService } from '@plat/testing';
import { platformService } from '../service';

describe('roles', () => {
  let service: TestService;
  beforeAll(async () => (service = await startTestService(platformService)));
  afterAll(() => service.stop());

  const define = (body: object) =>
    service.send('alice', 'POST /v1/roles', { name: `role ${randomUUID()}`, permissions: [], ...body });

  describe('GET /v1/roles', () => {
    it("200: a bare array of {roleId, name} of the caller's tenant by name, the stock roles among them", async () => {
      const { status, body } = await service.send('mallory', 'GET /v1/roles');
      expect(status).toBe(200);
      expect(body).toEqual(
        Object.keys(STOCK_ROLES)
          .sort()
          .map((name) => ({ roleId: expect.any(String), name })),
      );
    });
  });

  describe('POST /v1/roles', () => {
    it.each([
      [[]],
      [[{ apiMethod: 'POST', apiPath: '/v1/reviews/merge-queue/advance' }]],
      [[{ apiMethodPattern: 'GET|POST', apiPathPattern: '/v1/(builds|releases)(/.*)?', apiMethod: null }]],
      [[{ apiMethod: 'GET', apiPath: '/v1/users', more: '\0', __proto__: { x: 1 } }]],
    ])('201: {roleId, name} for the rules %j', async (permissions) => {
      const { status, body } = await define({
        name: `role ${permissions.length} ${randomUUID()}`,
        permissions,
      });
      expect(status).toBe(201);
      expect(Object.keys(body as object)).toEqual(['roleId', 'name']);
    });

    it.each([
      'x',
      {},
      [null],
      ['/v1/reviews'],
      [{}],
      [{ apiMethod: 'GET' }],
      [{ apiMethod: 'FETCH', apiPath: '/v1/reviews' }],
      [{ apiMethod: 'GET', apiPath: '/v1/reviews?x' }],
      [{ apiMethod: 'GET', apiPath: '/v1/reviews', apiMethodPattern: 'GET', apiPathPattern: '.*' }],
      [{ apiMethod: 'GET', apiPathPattern: '.*' }],
      [{ apiMethodPattern: '.*', apiPathPattern: '(a*)*b' }],
      [{ apiMethodPattern: '.*', apiPathPattern: '.*.*.*.*.*' }],
      [{ apiMethodPattern: '.*', apiPathPattern: 'x'.repeat(201) }],
      [{ apiMethodPattern: '.*', apiPathPattern: ['.*'] }],
    ])('400: %j is INVALID_BODY with the field permissions', async (permissions) => {
      const answer = await define({ permissions });
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'INVALID_BODY', details: { field: 'permissions' } },
      });
    });

    it.each([undefined, '', ' ', 'x'.repeat(256)])(
      '400: the name %j is INVALID_BODY with the field',
      async (name) => {
        const answer = await define({ name });
        expect(answer).toMatchObject({
          status: 400,
          body: { code: 'INVALID_BODY', details: { field: 'name' } },
        });
      },
    );

    it('403: TenantUser', async () => {
      const answer = await service.send('bob', 'POST /v1/roles', { name: 'x', permissions: [] });
      expect(answer.status).toBe(403);
    });

    it('409: a name that another role of the tenant has', async () => {
      expect(await define({ name: 'ReadAll' })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    });
  });
});
