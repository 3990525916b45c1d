import { ClusterDouble, type KubernetesApi, startKubernetesApi } from '@plat/testing';
import { type ClusterScene, describeCluster } from './cluster.conformance';
import { KubernetesCluster } from './kubernetes-cluster';

// The Kubernetes client is a large library, which takes seconds to load the first time.
jest.setTimeout(30_000);

const started: KubernetesApi[] = [];
afterAll(() => Promise.all(started.map((api) => api.stop())));

type Namespaces = ClusterDouble['namespaces'];

/** Operations that set up either double. */
const hand = (namespaces: Namespaces): Pick<ClusterScene, 'create' | 'release' | 'has'> => ({
  create: async (namespace, options) => void namespaces.set(namespace, options?.held ? 'held' : 'active'),
  release: async (namespace) => void namespaces.delete(namespace),
  has: async (namespace) => namespaces.has(namespace),
});

describeCluster('the double', async () => {
  const cluster = new ClusterDouble(['test-cluster']);
  const refuse = async () =>
    void (cluster.refusal = 'The cluster refused to remove the namespace (HTTP 403).');
  return { cluster, context: 'test-cluster', ...hand(cluster.namespaces), refuse };
});

async function openApi(): Promise<KubernetesApi> {
  const api = await startKubernetesApi();
  started.push(api);
  return api;
}

describeCluster('the Kubernetes client', async () => {
  const api = await openApi();
  return {
    cluster: new KubernetesCluster(api.kubeconfig),
    context: api.context,
    ...hand(api.namespaces),
    refuse: async () => void (api.refusal = 403),
  };
});

describe('the Kubernetes client', () => {
  const signal = new AbortController().signal;

  it('reports only that the cluster is out of reach if it does not answer', async () => {
    const api = await openApi();
    api.refusal = 0;
    const cluster = new KubernetesCluster(api.kubeconfig);
    const answer = await cluster.removeNamespace({ namespace: 'acme-dev' }, signal);
    expect(answer).toMatchObject({ state: 'failed', reason: 'The cluster could not be reached.' });
  });

  it('reports only that the cluster is out of reach if the kubeconfig cannot be read', async () => {
    const cluster = new KubernetesCluster('/nowhere');
    const answer = await cluster.removeNamespace({ namespace: 'acme-dev' }, signal);
    expect(answer).toMatchObject({ state: 'failed', reason: 'The cluster could not be reached.' });
  });
});
