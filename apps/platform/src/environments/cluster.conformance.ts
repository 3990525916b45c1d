import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster, NamespaceRemoval } from './cluster';

/** A cluster under test, and the operations that set it up. */
export interface ClusterScene {
  cluster: Cluster;
  /** The cluster's name in the kubeconfig, which environments may name. */
  context: string;
  /** Makes a namespace. A held one stays `terminating` after its removal, until it is released. */
  create(namespace: string, options: { environmentId?: string; held?: boolean }): Promise<void>;
  release(namespace: string): Promise<void>;
  has(namespace: string): Promise<boolean>;
  /** From now on the cluster refuses every request. */
  refuse(): Promise<void>;
}

const ASK_AGAIN_MS = 50;
const never = new AbortController().signal;

/** The cases that pass with every cluster in which environments may run. */
export function describeCluster(name: string, open: () => Promise<ClusterScene>): void {
  describe(`${name}, if it is asked to remove a namespace,`, () => {
    // Cases may share the cluster, and a namespace takes seconds to go.
    let namespace: string;
    let neighbour: string;
    beforeEach(() => ([namespace, neighbour] = [`acme-${randomUUID()}`, `acme-${randomUUID()}`]));
    const environmentId = randomUUID();

    /** The answer once the namespace is no longer `terminating`. */
    async function removeUntilGone(
      scene: ClusterScene,
      kubernetesContext?: string,
    ): Promise<NamespaceRemoval> {
      for (;;) {
        const address = { namespace, environmentId, kubernetesContext };
        const answer = await scene.cluster.removeNamespace(address, never);
        if (answer.state !== 'terminating') return answer;
        await delay(ASK_AGAIN_MS);
      }
    }

    it('removes it and no other, and answers `removed` once it is gone', async () => {
      const scene = await open();
      await scene.create(namespace, { environmentId });
      await scene.create(neighbour, { environmentId });
      expect(await removeUntilGone(scene)).toEqual({ state: 'removed' });
      expect([await scene.has(namespace), await scene.has(neighbour)]).toEqual([false, true]);
    });

    it('answers `removed` if there is no such namespace', async () => {
      const { cluster } = await open();
      expect(await cluster.removeNamespace({ namespace, environmentId }, never)).toEqual({
        state: 'removed',
      });
    });

    it('answers `terminating` to every request until it is gone', async () => {
      const scene = await open();
      await scene.create(namespace, { environmentId, held: true });
      for (let asked = 0; asked < 3; asked++) {
        expect(await scene.cluster.removeNamespace({ namespace, environmentId }, never)).toEqual({
          state: 'terminating',
        });
      }
      await scene.release(namespace);
      expect(await removeUntilGone(scene)).toEqual({ state: 'removed' });
      expect(await scene.has(namespace)).toBe(false);
    });

    it('removes it in the named cluster', async () => {
      const scene = await open();
      await scene.create(namespace, { environmentId });
      expect(await removeUntilGone(scene, scene.context)).toEqual({ state: 'removed' });
      expect(await scene.has(namespace)).toBe(false);
    });

    it.each([
      ['without a label', {}],
      ["with another environment's label", { environmentId: randomUUID() }],
    ])('refuses a namespace %s, and leaves it', async (_, label) => {
      const { cluster, create, has } = await open();
      await create(namespace, label);
      expect(await cluster.removeNamespace({ namespace, environmentId }, never)).toMatchObject({
        state: 'refused',
        reason: expect.stringContaining(`The namespace ${namespace} is not known to be this environment's`),
      });
      expect(await has(namespace)).toBe(true);
    });

    it('refuses a cluster that environments may not name', async () => {
      const { cluster, create, has } = await open();
      await create(namespace, { environmentId });
      const address = { namespace, environmentId, kubernetesContext: 'elsewhere' };
      expect(await cluster.removeNamespace(address, never)).toMatchObject({
        state: 'refused',
        reason: expect.stringContaining('Environments may not run in a cluster named elsewhere.'),
      });
      expect(await has(namespace)).toBe(true);
    });

    it('fails if the cluster refuses, and shows the tenant the HTTP status alone', async () => {
      const { cluster, create, has, refuse } = await open();
      await create(namespace, { environmentId });
      await refuse();
      expect(await cluster.removeNamespace({ namespace, environmentId }, never)).toMatchObject({
        state: 'failed',
        reason: 'The cluster refused to remove the namespace (HTTP 403).',
      });
      expect(await has(namespace)).toBe(true);
    });

    it('rejects if the request is aborted', async () => {
      const { cluster, create, has } = await open();
      await create(namespace, { environmentId });
      await expect(
        cluster.removeNamespace({ namespace, environmentId }, AbortSignal.abort()),
      ).rejects.toThrow();
      expect(await has(namespace)).toBe(true);
    });
  });
}
