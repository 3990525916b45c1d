import { setTimeout as delay } from 'node:timers/promises';
import { applyDirectory, LOGIN_ROLES } from '@plat/database';
import {
  buildService,
  claimsOf,
  createTestDatabase,
  type KubernetesApi,
  type ServiceProcess,
  startKubernetesApi,
  startService,
  type TestDatabase,
  testDirectory,
  TokenIssuer,
} from '@plat/testing';

const POLL_MS = 20;

/** Rule E3: "Delete is a durable background job: … it survives restarts". */
describe('the deletion of an environment, when the service is killed in the middle of it', () => {
  let database: TestDatabase;
  let issuer: TokenIssuer;
  let cluster: KubernetesApi;
  const started: ServiceProcess[] = [];
  beforeAll(async () => {
    [database, issuer, cluster] = await Promise.all([
      createTestDatabase(),
      TokenIssuer.start(),
      startKubernetesApi(),
      buildService('platform'),
    ]);
    await applyDirectory(database.ownerUrl, testDirectory(issuer.url));
  }, 60_000);
  afterAll(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await Promise.all([issuer.stop(), cluster.stop(), database.drop()]);
  });

  async function start(): Promise<ServiceProcess> {
    const service = await startService('platform', {
      DATABASE_URL: database.url(LOGIN_ROLES.platform),
      CLUSTER_KUBECONFIG: cluster.kubeconfig,
    });
    started.push(service);
    return service;
  }
  async function ask(service: ServiceProcess, line: string, body?: object) {
    const [method, path] = line.split(' ') as [string, string];
    const authorization = `Bearer ${await issuer.token(claimsOf('alice'))}`;
    const answer = await fetch(service.url + path, {
      method,
      headers: { authorization },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  }

  it('is completed by the next process: the namespace is removed and the environment is gone', async () => {
    const first = await start();
    const { body: environment } = await ask(first, 'POST /v1/environments', {
      name: 'doomed',
      type: 'runtime',
    });
    const path = `/v1/environments/${environment.environmentId as string}`;
    cluster.namespaces.set('acme-doomed', 'active');
    cluster.environments.set('acme-doomed', environment.environmentId as string);
    const inTheMiddle = new Promise<void>((resolve) => (cluster.insteadOfAnswer = () => resolve()));
    expect(await ask(first, `DELETE ${path}`)).toMatchObject({ status: 202, body: { status: 'deleting' } });
    await inTheMiddle;
    first.child.kill('SIGKILL');
    await first.exited;
    expect(cluster.namespaces.get('acme-doomed')).toBe('active');

    cluster.insteadOfAnswer = undefined;
    // Ends the lease of the process that died, so that the test need not wait for it.
    await database.query('UPDATE environments.deletions SET due_at = clock_timestamp()');
    const second = await start();
    while ((await ask(second, `GET ${path}`)).status !== 404) await delay(POLL_MS);
    expect(cluster.namespaces.has('acme-doomed')).toBe(false);
    expect(await database.query('SELECT FROM environments.deletions')).toEqual([]);
  }, 60_000);
});
