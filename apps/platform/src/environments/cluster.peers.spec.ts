/**
 * @peers kubernetes
 * @paths apps/platform/src/environments libs/contracts/core/src libs/environments/src libs/testing/src/kubernetes
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CoreV1Api, KubeConfig } from '@kubernetes/client-node';
import { defined, ENVIRONMENT_LABEL } from '@plat/contracts/core';
import { type KubernetesPeer, startKubernetes } from '@plat/testing';
import { describeCluster } from './cluster.conformance';
import { KubernetesCluster } from './kubernetes-cluster';
import { OpenContexts } from './open-contexts';

const FINALIZER = 'plat.example/held';

let kubernetes: KubernetesPeer;
let admin: CoreV1Api;
let folder: string;
beforeAll(async () => {
  kubernetes = await startKubernetes();
  const config = new KubeConfig();
  config.loadFromString(kubernetes.kubeconfig('admin'));
  admin = config.makeApiClient(CoreV1Api);
  folder = await mkdtemp(join(tmpdir(), 'plat-kubeconfig-'));
}, 60_000);
afterAll(async () => {
  await kubernetes.stop();
  await rm(folder, { recursive: true });
});

async function hold(name: string, finalizers: string[]): Promise<void> {
  const metadata = { ...(await admin.readNamespace({ name })).metadata, finalizers };
  await admin.replaceNamespace({ name, body: { metadata } });
}

async function kubeconfigFile(user: 'admin' | 'stranger'): Promise<string> {
  const file = join(folder, 'config');
  await writeFile(file, kubernetes.kubeconfig(user), { mode: 0o600 });
  return file;
}

describeCluster('a Kubernetes cluster', async () => {
  return {
    cluster: new KubernetesCluster({
      kubeconfig: await kubeconfigFile('admin'),
      contexts: new OpenContexts([kubernetes.context]),
    }),
    context: kubernetes.context,
    create: async (name, { environmentId, held }) => {
      const labels = defined({ [ENVIRONMENT_LABEL]: environmentId });
      await admin.createNamespace({ body: { metadata: { name, labels } } });
      if (held) await hold(name, [FINALIZER]);
    },
    release: (name) => hold(name, []),
    has: async (namespace) =>
      (await admin.listNamespace()).items.some(({ metadata }) => metadata?.name === namespace),
    // Each removal reads the kubeconfig again.
    refuse: async () => void (await kubeconfigFile('stranger')),
  };
});
