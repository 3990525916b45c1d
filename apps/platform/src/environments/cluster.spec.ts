import { ClusterDouble, type KubernetesApi, startKubernetesApi } from '@plat/testing';
import type { Cluster } from './cluster';
import { KubernetesCluster } from './kubernetes-cluster';

/** A cluster, and the hand that sets it up. */
interface ClusterScene {
  cluster: Cluster;
  context: string;
  namespaces: Map<string, 'active' | 'held' | 'terminating'>;
  refuse(): void;
}

const never = new AbortController().signal;
const started: KubernetesApi[] = [];
afterAll(() => Promise.all(started.map((api) => api.stop())));

const scenes: Record<string, () => Promise<ClusterScene>> = {
  'the double': () => {
    const cluster = new ClusterDouble(['test-cluster']);
    const { namespaces } = cluster;
    const refuse = () => void (cluster.refusal = 'The cluster refused to remove the namespace (HTTP 403).');
    return Promise.resolve({ cluster, context: 'test-cluster', namespaces, refuse });
  },
  'the Kubernetes client': async () => {
    const api = await startKubernetesApi();
    started.push(api);
    const { namespaces, kubeconfig, context } = api;
    return {
      cluster: new KubernetesCluster(kubeconfig),
      context,
      namespaces,
      refuse: () => (api.refusal = 403),
    };
  },
};

describe.each(Object.entries(scenes))('%s removes a namespace', (_, open) => {
  const namespace = 'acme-dev';

  it('and says so when it is gone', async () => {
    const { cluster, namespaces } = await open();
    namespaces.set(namespace, 'active').set('acme-prod', 'active');
    expect(await cluster.removeNamespace({ namespace }, never)).toEqual({ state: 'removed' });
    expect([...namespaces.keys()]).toEqual(['acme-prod']);
  });

  it('and counts one that is not there as removed', async () => {
    const { cluster } = await open();
    expect(await cluster.removeNamespace({ namespace }, never)).toEqual({ state: 'removed' });
  });

  it('and says that it is on its way out, also when it is asked again', async () => {
    const { cluster, namespaces } = await open();
    namespaces.set(namespace, 'held');
    expect(await cluster.removeNamespace({ namespace }, never)).toEqual({ state: 'terminating' });
    expect(await cluster.removeNamespace({ namespace }, never)).toEqual({ state: 'terminating' });
    namespaces.delete(namespace);
    expect(await cluster.removeNamespace({ namespace }, never)).toEqual({ state: 'removed' });
  });

  it('in the cluster that is named', async () => {
    const { cluster, namespaces, context } = await open();
    namespaces.set(namespace, 'active');
    const answer = await cluster.removeNamespace({ namespace, kubernetesContext: context }, never);
    expect(answer).toEqual({ state: 'removed' });
  });

  it('in no other than a cluster that the deployment knows', async () => {
    const { cluster, namespaces } = await open();
    namespaces.set(namespace, 'active');
    const answer = await cluster.removeNamespace({ namespace, kubernetesContext: 'elsewhere' }, never);
    expect(answer).toMatchObject({
      state: 'failed',
      reason: 'The platform knows no cluster named elsewhere.',
    });
    expect(namespaces.size).toBe(1);
  });

  it('unless the cluster refuses, of which the tenant is told the status alone', async () => {
    const { cluster, refuse } = await open();
    refuse();
    expect(await cluster.removeNamespace({ namespace }, never)).toMatchObject({
      state: 'failed',
      reason: 'The cluster refused to remove the namespace (HTTP 403).',
    });
  });

  it('and rejects when it is told to stop', async () => {
    const { cluster, namespaces } = await open();
    namespaces.set(namespace, 'active');
    await expect(cluster.removeNamespace({ namespace }, AbortSignal.abort())).rejects.toThrow();
    expect(namespaces.size).toBe(1);
  });
});

describe('the Kubernetes client', () => {
  it('says of a cluster that does not answer nothing but that', async () => {
    const api = await startKubernetesApi();
    started.push(api);
    api.refusal = 0;
    const answer = await new KubernetesCluster(api.kubeconfig).removeNamespace(
      { namespace: 'acme-dev' },
      never,
    );
    expect(answer).toMatchObject({ state: 'failed', reason: 'The cluster could not be reached.' });
  });

  it('says of a kubeconfig that cannot be read nothing but that the cluster is out of reach', async () => {
    const answer = await new KubernetesCluster('/nowhere').removeNamespace({ namespace: 'acme-dev' }, never);
    expect(answer).toMatchObject({ state: 'failed', reason: 'The cluster could not be reached.' });
  });
});
