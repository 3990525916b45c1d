import type { WebSocket } from 'ws';
import { ClusterError } from './cluster-error';
import type { KubeAccess } from './kube-access';
import { openPodConnection } from './pod-connection';
import { type PodPort, readyPods, type ServicePort } from './ready-pods';

/** Most pods that are tried for one connection. */
const PODS_MAX = 3;

export interface Dialed {
  pod: string;
  connection: WebSocket;
}

/** Opens connections to pods of a Service that are ready at that moment. */
export class PodDialer {
  /** The pod of the last success, which is likely to be ready still. */
  private last: PodPort | undefined;

  constructor(
    private readonly access: KubeAccess,
    private readonly target: ServicePort,
  ) {}

  /**
   * Asks which pods are ready and dials the last one at the same time; what was dialed is used only if the answer has
   * that pod.
   *
   * @throws ClusterError
   */
  async dial(): Promise<Dialed> {
    const { last } = this;
    const early = last && openPodConnection(this.access, this.target.namespace, last);
    early?.catch(() => undefined);
    let pods: PodPort[];
    try {
      pods = await readyPods(this.access, this.target);
    } catch (error) {
      discard(early);
      throw error;
    }
    const known = last && pods.find(({ uid, port }) => uid === last.uid && port === last.port);
    if (known === undefined) discard(early);
    const others = pods.filter((each) => each !== known);
    const tried = [...(known ? [known] : []), ...others].slice(0, PODS_MAX);
    return this.firstOf(tried, known && early);
  }

  private async firstOf(pods: readonly PodPort[], early: Promise<WebSocket> | undefined): Promise<Dialed> {
    const failures: unknown[] = [];
    for (const [index, each] of pods.entries()) {
      const opening = (index === 0 && early) || openPodConnection(this.access, this.target.namespace, each);
      try {
        const connection = await opening;
        this.last = each;
        return { pod: each.pod, connection };
      } catch (error) {
        if (!(error instanceof ClusterError)) throw error;
        failures.push(error);
      }
    }
    this.last = undefined;
    throw failures[0];
  }
}

function discard(early: Promise<WebSocket> | undefined): void {
  early?.then(
    (connection) => connection.terminate(),
    () => undefined,
  );
}
