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

  describe('GET /v1/roles/{role_id}', () => {
    const permissions = [
      { apiMethodPattern: 'GET|POST', apiPathPattern: '/v1/(builds|releases)(/.*)?' },
      { apiMethod: 'POST', apiPath: '/v1/reviews/merge-queue/advance' },
    ];

    it('200: {roleId, name, permissions}, the rules in the order in which they were given', async () => {
      const { body: made } = await define({ permissions });
      const { roleId } = made as { roleId: string };
      const answer = await service.send('alice', `GET /v1/roles/${roleId}`);
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.body).toEqual({ ...(made as object), permissions });
    });

    it('200: a role without rules has an empty list', async () => {
      const { body: made } = await define({});
      const answer = await service.send('alice', `GET /v1/roles/${(made as { roleId: string }).roleId}`);
      expect(answer.body).toEqual({ ...(made as object), permissions: [] });
    });

    it('200: "A caller of the operations tenant reads across every tenant"', async () => {
      const { body: made } = await define({ permissions });
      const answer = await service.send('olga', `GET /v1/roles/${(made as { roleId: string }).roleId}`);
      expect(answer.body).toMatchObject({ permissions });
    });

    it('400: an id that is none', async () => {
      const answer = await service.send('alice', 'GET /v1/roles/ReadAll');
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_PATH_ID' } });
    });

    it('404: a role of another tenant, as one that does not exist', async () => {
      const { body: made } = await define({ permissions });
      for (const id of [(made as { roleId: string }).roleId, randomUUID()]) {
        expect(await service.send('mallory', `GET /v1/roles/${id}`)).toMatchObject({
          status: 404,
          body: { code: 'NOT_FOUND', message: 'No such role.' },
        });
      }
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
