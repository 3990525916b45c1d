import type WebSocket from 'ws';
import { type ClusterApi } from './cluster-api';
import { type ReadyPod, ReadyPods, type ServicePort } from './ready-pods';

/** A WebSocket to a pod; it is paused. */
export interface Dialed {
  webSocket: WebSocket;
  pod: ReadyPod;
}

/** How many ready pods are tried for one connection. */
const MOST_PODS = 3;

/**
 * Dials pods of a Service, once for each connection. The pod of the last success is dialed while the API server is asked
 * which pods are ready, and that connection is used only if the answer has the pod: exact, and as quick as a guess.
 */
export class PodDialer {
  private readonly pods: ReadyPods;
  private last: ReadyPod | undefined;

  constructor(
    private readonly api: ClusterApi,
    target: ServicePort,
  ) {
    this.pods = new ReadyPods(api, target);
  }

  /** Fails with the reason of the last pod that was tried, or with why none was. */
  async dial(signal: AbortSignal): Promise<Dialed> {
    const { last } = this;
    const guess = last && this.attempt(last, signal);
    let ready: ReadyPod[];
    try {
      ready = await this.pods.find(signal);
    } catch (error) {
      discard(guess);
      throw error;
    }
    const isReady = ready.some((pod) => isSame(pod, last));
    if (!isReady) discard(guess);
    const attempts = [
      ...(guess && isReady ? [() => guess] : []),
      ...ready
        .filter((pod) => !isReady || !isSame(pod, last))
        .slice(0, MOST_PODS)
        .map((pod) => () => this.attempt(pod, signal)),
    ];
    let failure: unknown;
    for (const attempt of attempts) {
      const result = await attempt();
      if ('webSocket' in result) {
        this.last = result.pod;
        return result;
      }
      failure = result.failure;
    }
    this.last = undefined;
    throw failure;
  }

  /** Never throws, since nobody may be waiting for it. */
  private async attempt(pod: ReadyPod, signal: AbortSignal): Promise<Dialed | { failure: unknown }> {
    try {
      return { webSocket: await this.api.dial(this.pods.forwardPath(pod), signal), pod };
    } catch (failure) {
      return { failure };
    }
  }
}

function isSame(one: ReadyPod, other: ReadyPod | undefined): boolean {
  return one.name === other?.name && one.uid === other.uid && one.port === other.port;
}

function discard(guess: Promise<Dialed | { failure: unknown }> | undefined): void {
  void guess?.then((result) => 'webSocket' in result && result.webSocket.terminate());
}
