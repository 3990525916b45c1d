import { readFile, writeFile } from 'node:fs/promises';
import { createLog } from '@plat/service';
import { ClusterDouble, type KubernetesApi, startKubernetesApi } from '@plat/testing';
import { type ClusterScene, describeCluster } from './cluster.conformance';
import { KubernetesCluster } from './kubernetes-cluster';
import { OpenContexts } from './open-contexts';

// The Kubernetes client is a large library, which takes seconds to load the first time.
jest.setTimeout(30_000);

const started: KubernetesApi[] = [];
afterAll(() => Promise.all(started.map((api) => api.stop())));

type Double = Pick<ClusterDouble, 'namespaces' | 'environments'>;

/** Operations that set up either double. */
const hand = ({ namespaces, environments }: Double): Pick<ClusterScene, 'create' | 'release' | 'has'> => ({
  create: async (namespace, { environmentId, held }) => {
    namespaces.set(namespace, held ? 'held' : 'active');
    if (environmentId !== undefined) environments.set(namespace, environmentId);
  },
  release: async (namespace) => void namespaces.delete(namespace),
  has: async (namespace) => namespaces.has(namespace),
});

describeCluster('the double', async () => {
  const cluster = new ClusterDouble(['test-cluster']);
  const refuse = async () =>
    void (cluster.refusal = 'The cluster refused to remove the namespace (HTTP 403).');
  return { cluster, context: 'test-cluster', ...hand(cluster), refuse };
});

const ADDRESS = { namespace: 'acme-dev', environmentId: '0190aaaa-0000-7000-8000-000000000001' };

const openCluster = (kubeconfig: string, contexts: string[] = []): KubernetesCluster =>
  new KubernetesCluster({ kubeconfig, contexts: new OpenContexts(contexts) });

async function openApi(): Promise<KubernetesApi> {
  const api = await startKubernetesApi();
  started.push(api);
  return api;
}

describeCluster('the Kubernetes client', async () => {
  const api = await openApi();
  return {
    cluster: openCluster(api.kubeconfig, [api.context]),
    context: api.context,
    ...hand(api),
    refuse: async () => void (api.refusal = 403),
  };
});

const JSON_TYPE = { 'content-type': 'application/json' };

describe('the Kubernetes client', () => {
  const signal = new AbortController().signal;

  it('reports only that the cluster is out of reach if it does not answer', async () => {
    const api = await openApi();
    api.refusal = 0;
    const cluster = openCluster(api.kubeconfig, [api.context]);
    const answer = await cluster.removeNamespace(ADDRESS, signal);
    expect(answer).toMatchObject({ state: 'failed', reason: 'The cluster could not be reached.' });
  });

  it('reports only that the cluster is out of reach if the kubeconfig cannot be read', async () => {
    const cluster = openCluster('/nowhere');
    const answer = await cluster.removeNamespace(ADDRESS, signal);
    expect(answer).toMatchObject({ state: 'failed', reason: 'The cluster could not be reached.' });
  });

  it('refuses a context of the kubeconfig that is not open as it refuses one that is nowhere', async () => {
    const api = await openApi();
    api.namespaces.set(ADDRESS.namespace, 'active');
    api.environments.set(ADDRESS.namespace, ADDRESS.environmentId);
    const ask = (kubernetesContext: string) =>
      openCluster(api.kubeconfig, ['another']).removeNamespace({ ...ADDRESS, kubernetesContext }, signal);
    const [known, nowhere] = [await ask(api.context), await ask('nowhere')];
    expect(known).toEqual(JSON.parse(JSON.stringify(nowhere).replace('nowhere', api.context)));
    expect(api.namespaces.has(ADDRESS.namespace)).toBe(true);
  });

  it('shows an open context that the kubeconfig lacks to the log alone', async () => {
    const api = await openApi();
    const address = { ...ADDRESS, kubernetesContext: 'prod' };
    expect(await openCluster(api.kubeconfig, ['prod']).removeNamespace(address, signal)).toMatchObject({
      state: 'failed',
      reason: 'The cluster could not be reached.',
      cause: new Error('CLUSTER_CONTEXTS has the context prod, and CLUSTER_KUBECONFIG has not.'),
    });
  });

  it('reads no more of an answer than an object of a cluster can have', async () => {
    const api = await openApi();
    let sent = 0;
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    api.insteadOfAnswer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const fill = () => {
        while (response.write(chunk)) sent += chunk.length;
        sent += chunk.length;
      };
      response.on('drain', fill);
      fill();
    };
    const answer = await openCluster(api.kubeconfig).removeNamespace(ADDRESS, signal);
    expect(answer).toMatchObject({ state: 'failed', reason: 'The cluster could not be reached.' });
    expect(sent).toBeLessThan(64 * 1024 * 1024);
  });

  it.each([
    ['lists in lists', `${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`],
    ['empty objects', `[${'{},'.repeat(1_000_000)}{}]`],
  ])('parses no answer of a million %s, which takes hundreds of megabytes', async (_, body) => {
    const api = await openApi();
    api.insteadOfAnswer = (response) => response.writeHead(200, JSON_TYPE).end(body);
    const parse = jest.spyOn(JSON, 'parse');
    const answer = await openCluster(api.kubeconfig).removeNamespace(ADDRESS, signal);
    const longest = Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(answer).toMatchObject({ state: 'failed', reason: 'The cluster could not be reached.' });
    expect(longest).toBeLessThan(body.length);
  });

  it('keeps the beginning of a refusal for the log, which has the text three times', async () => {
    const api = await openApi();
    api.insteadOfAnswer = (response) => response.writeHead(500, JSON_TYPE).end('"'.repeat(3 * 1024 * 1024));
    const answer = await openCluster(api.kubeconfig).removeNamespace(ADDRESS, signal);
    expect(answer).toMatchObject({ state: 'failed', reason: expect.stringContaining('HTTP 500') });
    let line = '';
    createLog('platform', 'info', { write: (text) => void (line += text) }).warn({
      err: (answer as { cause: unknown }).cause,
    });
    expect(line.length).toBeGreaterThan(1000);
    expect(line.length).toBeLessThan(100_000);
  });

  it('follows no redirect', async () => {
    const [api, other] = [await openApi(), await openApi()];
    const asked: string[] = [];
    other.insteadOfAnswer = (response) => {
      asked.push(response.req.method ?? '');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    };
    const [elsewhere = ''] = /http:[^"]+/.exec(await readFile(other.kubeconfig, 'utf8')) ?? [];
    api.insteadOfAnswer = (response) => response.writeHead(307, { location: `${elsewhere}/` }).end();
    const answer = await openCluster(api.kubeconfig).removeNamespace(ADDRESS, signal);
    expect(answer).toMatchObject({ state: 'failed', reason: expect.stringContaining('HTTP 307') });
    expect(asked).toEqual([]);
  });

  it('waits no longer for a credential plugin once it is to end', async () => {
    const api = await openApi();
    const config = JSON.parse(await readFile(api.kubeconfig, 'utf8')) as { users: object[] };
    // It ends when the file is removed.
    const args = ['-c', `while [ -e '${api.kubeconfig}' ]; do sleep 0.1; done`];
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'sh', args };
    config.users = [{ name: 'u', user: { exec } }];
    await writeFile(api.kubeconfig, JSON.stringify(config));
    const stop = new AbortController();
    const answer = openCluster(api.kubeconfig).removeNamespace(ADDRESS, stop.signal);
    setTimeout(() => stop.abort(new Error('stopped')), 500);
    await expect(answer).rejects.toThrow('stopped');
  });

  it('leaves a namespace that has lost its label since it was read, and looks again', async () => {
    const api = await openApi();
    api.namespaces.set(ADDRESS.namespace, 'active');
    api.environments.set(ADDRESS.namespace, ADDRESS.environmentId);
    api.beforeRemoval = () => api.environments.delete(ADDRESS.namespace);
    const cluster = openCluster(api.kubeconfig);
    expect(await cluster.removeNamespace(ADDRESS, signal)).toEqual({ state: 'terminating' });
    expect(await cluster.removeNamespace(ADDRESS, signal)).toMatchObject({ state: 'refused' });
    expect(api.namespaces.get(ADDRESS.namespace)).toBe('active');
  });
});
