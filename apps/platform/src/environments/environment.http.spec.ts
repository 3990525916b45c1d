import { randomUUID } from 'node:crypto';
import {
  type KubernetesApi,
  startKubernetesApi,
  startTestService,
  TEST_ENVIRONMENTS,
  TEST_TENANTS,
  type TestService,
  type TestUser,
} from '@plat/testing';
import type { PlatformConfig } from '../config';
import { platformService } from '../service';

let service: TestService;
let cluster: KubernetesApi;
beforeAll(async () => {
  cluster = await startKubernetesApi();
  service = await startTestService({
    ...platformService,
    module: (context, config: PlatformConfig) =>
      platformService.module(
        context,
        Object.assign(config, { CLUSTER_KUBECONFIG: cluster.kubeconfig, CLUSTER_CONTEXTS: 'prod, stage' }),
      ),
  });
});
afterAll(async () => {
  await service.stop();
  await cluster.stop();
});

const NOWHERE = '00000000-0000-0000-0000-000000000000';
const FOREIGN = TEST_ENVIRONMENTS['globex/dev'];

const create = (body: object = {}, by: TestUser = 'alice') =>
  service.send(by, 'POST /v1/environments', {
    name: `e${randomUUID().slice(0, 8)}x`,
    type: 'runtime',
    ...body,
  });
const createOne = async (body: object = {}) =>
  (await create(body)).body as { environmentId: string; name: string };
const get = (id: string, by: TestUser = 'alice') => service.send(by, `GET /v1/environments/${id}`);
const remove = (id: string, by: TestUser = 'alice') => service.send(by, `DELETE /v1/environments/${id}`);
const list = async (by: TestUser = 'alice') =>
  (await service.send(by, 'GET /v1/environments')).body as {
    environmentId: string;
    name: string;
    namespace?: string;
    tenantId: string;
  }[];
/** Reads the environment until the background job has come to an end. */
const waitForDeletion = async (id: string) => {
  for (let reads = 0; reads < 5_000; reads++) {
    const answer = await get(id);
    if (answer.status !== 200 || (answer.body as { status: string }).status !== 'deleting') return answer;
  }
  throw new Error('the job does not come to an end');
};
jest.setTimeout(60_000);
// Otherwise the first deletion loads it. Jest transforms it file by file, and the service answers nothing meanwhile.
beforeAll(() => import('@kubernetes/client-node'), 300_000);

describe('GET /v1/environments', () => {
  it("200: a bare array of the tenant's environments by name", async () => {
    expect(await list('mallory')).toEqual([
      {
        environmentId: FOREIGN,
        tenantId: TEST_TENANTS.globex.tenantId,
        name: 'dev',
        namespace: 'globex-dev',
        type: 'local-agent',
        status: 'registered',
        createdAt: expect.stringMatching(/Z$/),
        updatedAt: expect.stringMatching(/Z$/),
      },
    ]);
  });

  it('200: "Only a caller of the operations tenant reads across tenants"', async () => {
    const tenants = new Set((await list('olga')).map(({ tenantId }) => tenantId));
    expect(tenants).toEqual(new Set([TEST_TENANTS.acme.tenantId, TEST_TENANTS.globex.tenantId]));
  });

  it('200: the namespace is that of the tenant; of another tenant it is left out', async () => {
    const listNamespaces = async (by: TestUser) =>
      (await list(by)).map(({ name, namespace }) => [name, namespace]);
    expect(await listNamespaces('alice')).toContainEqual(['dev', 'acme-dev']);
    expect(await listNamespaces('mallory')).toEqual([['dev', 'globex-dev']]);
    expect(await listNamespaces('olga')).toContainEqual(['dev', undefined]);
  });
});

describe('POST /v1/environments', () => {
  it('201: the environment, registered; unset fields are left out and server-owned ones ignored', async () => {
    const sent = {
      name: 'stage',
      type: 'remote-agent',
      status: 'deleting',
      tenantId: TEST_TENANTS.globex.tenantId,
    };
    const { status, body } = await create(sent);
    expect(status).toBe(201);
    expect(body).toEqual({
      environmentId: expect.any(String),
      tenantId: TEST_TENANTS.acme.tenantId,
      name: 'stage',
      namespace: 'acme-stage',
      type: 'remote-agent',
      status: 'registered',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('201: with the cluster that it runs in', async () => {
    expect((await create({ kubernetesContext: 'prod' })).body).toMatchObject({ kubernetesContext: 'prod' });
  });

  it.each([
    [{ name: undefined }, 'name'],
    [{ name: '' }, 'name'],
    [{ name: 'Dev' }, 'name'],
    [{ name: '1dev' }, 'name'],
    [{ name: 'dev-' }, 'name'],
    [{ name: 'a.b' }, 'name'],
    [{ name: 'a'.repeat(64) }, 'name'],
    [{ name: 'a'.repeat(59) }, 'name'],
    [{ type: undefined }, 'type'],
    [{ type: 'laptop' }, 'type'],
    [{ kubernetesContext: ' ' }, 'kubernetesContext'],
    [{ kubernetesContext: 7 }, 'kubernetesContext'],
    [{ kubernetesContext: 'nowhere' }, 'kubernetesContext'],
  ])('400: %j is INVALID_BODY with the field %s', async (body, field) => {
    expect(await create(body)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_BODY', details: { field } },
    });
  });

  it('400: a cluster that environments may not name, whether the platform has it or not', async () => {
    const answers = [
      await create({ kubernetesContext: cluster.context }),
      await create({ kubernetesContext: 'none' }),
    ];
    const [known, unknown] = answers.map(({ status, body }) => ({ status, body: body as object }));
    expect(known).toEqual(unknown);
    expect(known).toMatchObject({
      status: 400,
      body: { message: 'kubernetesContext names no cluster that environments may run in.' },
    });
  });

  it("201: a name that makes exactly 63 characters with the tenant's", async () => {
    expect((await create({ name: `b${'a'.repeat(57)}` })).status).toBe(201);
  });

  it('403: TenantAgent registers none', async () => {
    expect((await create({}, 'ci')).status).toBe(403);
  });

  it('409: a name that another environment of the tenant has; another tenant may use it', async () => {
    const { name } = await createOne();
    expect(await create({ name })).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect((await create({ name }, 'mallory')).status).toBe(201);
  });
});

describe('GET /v1/environments/{environment_id}', () => {
  it('200: one environment', async () => {
    const environment = await createOne();
    expect(await get(environment.environmentId)).toMatchObject({ status: 200, body: environment });
  });

  it('400: an id that is no UUID', async () => {
    expect(await get('dev')).toMatchObject({ status: 400, body: { code: 'INVALID_PATH_ID' } });
  });

  it("404: another tenant's environment is answered as one that exists nowhere", async () => {
    const foreign = await get(FOREIGN);
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual((await get(NOWHERE)).body);
  });
});

describe('DELETE /v1/environments/{environment_id}', () => {
  it('202: the environment, deleting; then its namespace is removed and it disappears from listings', async () => {
    const { environmentId, name } = await createOne();
    cluster.namespaces.set(`acme-${name}`, 'active');
    cluster.environments.set(`acme-${name}`, environmentId);
    const answer = await remove(environmentId, 'bob');
    expect(answer).toMatchObject({ status: 202, body: { environmentId, status: 'deleting' } });
    expect((await waitForDeletion(environmentId)).status).toBe(404);
    expect(cluster.namespaces.has(`acme-${name}`)).toBe(false);
    expect((await list()).map((environment) => environment.environmentId)).not.toContain(environmentId);
    expect((await create({ name })).status).toBe(201);
  });

  it("202: a namespace of the tenant's that was made for something else stays, and the deletion is blocked", async () => {
    const { environmentId, name } = await createOne();
    cluster.namespaces.set(`acme-${name}`, 'active');
    expect((await remove(environmentId, 'bob')).status).toBe(202);
    expect((await waitForDeletion(environmentId)).body).toMatchObject({
      status: 'deletion-blocked',
      deleteError: expect.stringContaining(`plat.dev/environment-id=${environmentId}`),
    });
    expect(cluster.namespaces.get(`acme-${name}`)).toBe('active');
  });

  it('202: asking again while it is under way changes nothing', async () => {
    const { environmentId, name } = await createOne();
    cluster.namespaces.set(`acme-${name}`, 'held');
    cluster.environments.set(`acme-${name}`, environmentId);
    const first = await remove(environmentId);
    expect(await remove(environmentId)).toMatchObject({ status: 202, body: first.body as object });
    expect(await create({ name })).toMatchObject({ status: 409 });
  });

  it("404: another tenant's environment is answered as one that exists nowhere, and stays", async () => {
    const foreign = await remove(FOREIGN);
    expect(foreign.status).toBe(404);
    expect(foreign.body).toEqual((await remove(NOWHERE)).body);
    expect(await get(FOREIGN, 'mallory')).toMatchObject({ body: { status: 'registered' } });
  });

  it('404: a caller of the operations tenant "writes only in its own"', async () => {
    expect((await remove(FOREIGN, 'olga')).status).toBe(404);
  });
});
