import { withDeadline } from './abortable';
import { type ClusterApi } from './cluster-api';
import { ApiUnreachable, ServiceUnready } from './failures';
import { type PodConnection } from './pod-connection';
import { PodSession } from './pod-session';
import { PodSessions } from './pod-sessions';
import { type ClusterState, type ReadyPod, ReadyPods, type ServicePort } from './ready-pods';

/** A connection to a pod that has no listener yet. */
export interface Dialed {
  connection: PodConnection;
  pod: ReadyPod;
}

/** How many ready pods are tried for one connection. */
const MOST_PODS = 3;
/** How long a session that was used before may be silent; then a fresh one is dialed. */
const REUSED_MS = 2500;

/**
 * Connects to pods of a Service, once for each connection. The pod of the last success is taken while the API server is
 * asked which pods are ready, and that connection is used only if the answer has the pod: exact, and as quick as a guess.
 * The server answers from its cache, as it does to the cluster's own proxies; if none of these pods can be reached, it is
 * asked again for what is there now.
 */
export class PodDialer {
  private readonly pods: ReadyPods;
  private readonly sessions = new PodSessions();
  private last: ReadyPod | undefined;

  constructor(
    private readonly api: ClusterApi,
    target: ServicePort,
  ) {
    this.pods = new ReadyPods(api, target);
  }

  /** Fails with the reason of the last pod that was tried, or with why none was. */
  async dial(signal: AbortSignal): Promise<Dialed> {
    const early = await this.dialOneOf('cached', signal);
    const result = 'connection' in early ? early : await this.dialOneOf('current', signal);
    if ('connection' in result) return result;
    throw result.failure;
  }

  /** Ends every session. */
  close(): void {
    this.sessions.close();
  }

  private async dialOneOf(state: ClusterState, signal: AbortSignal): Promise<Dialed | { failure: unknown }> {
    const { last } = this;
    const guess = last && this.attempt(last, signal);
    let ready: ReadyPod[];
    try {
      ready = await this.pods.find(state, signal);
    } catch (error) {
      discard(guess);
      if (error instanceof ServiceUnready) return { failure: error };
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
      if ('connection' in result) {
        this.last = result.pod;
        return result;
      }
      failure = result.failure;
    }
    this.last = undefined;
    return { failure };
  }

  /** Never throws, because its caller may have gone. */
  private async attempt(pod: ReadyPod, signal: AbortSignal): Promise<Dialed | { failure: unknown }> {
    try {
      const connection = (await this.reuse(pod)) ?? (await this.open(pod, signal));
      return { connection, pod };
    } catch (failure) {
      return { failure };
    }
  }

  /** @returns undefined if no session to the pod is idle, or its other end has gone */
  private async reuse(pod: ReadyPod): Promise<PodConnection | undefined> {
    const session = this.sessions.take(pod);
    if (!session) return undefined;
    const late = new ApiUnreachable('The node does not answer.', true);
    const connected = withDeadline(REUSED_MS, late, (signal) => session.connect(pod.port, signal));
    return connected.catch(() => undefined);
  }

  private async open(pod: ReadyPod, signal: AbortSignal): Promise<PodConnection> {
    const session = new PodSession(await this.api.dial(this.pods.forwardPath(pod), signal));
    this.sessions.adopt(session, pod);
    return session.connect(pod.port, signal);
  }
}

function isSame(one: ReadyPod, other: ReadyPod | undefined): boolean {
  return one.name === other?.name && one.uid === other.uid && one.port === other.port;
}

function discard(guess: Promise<Dialed | { failure: unknown }> | undefined): void {
  void guess?.then((result) => 'connection' in result && result.connection.terminate());
}
