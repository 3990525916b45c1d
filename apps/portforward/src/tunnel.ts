import type { Socket } from 'node:net';
import { type BufferMemory } from './buffer-memory';
import { type HalfOpenSockets } from './half-open-sockets';
import { type Heartbeat } from './heartbeat';
import { type PodConnection } from './pod-connection';

/** The result of a forwarded connection. */
export interface TunnelResult {
  /** Bytes from the local socket to the pod. */
  sent: number;
  /** Bytes from the pod to the local socket. */
  received: number;
  /** Why it did not end by itself. */
  failure?: string;
}

export interface TunnelWatch {
  heartbeat: Heartbeat;
  halfOpen: HalfOpenSockets;
  memory: BufferMemory;
  /** Called at the first byte of the pod's. */
  onReply(): void;
}

/** The local socket is not read while more than this waits for the API server. */
const MOST_WAITING = 512 * 1024;
/** The bytes that are kept for a slow reader for which another connection of its session would wait. */
const KEPT_BYTES = 8 * 1024 * 1024;
/** How long the local socket may stay open after the whole reply and its end were sent. */
const LINGER_MS = 2000;

/** Carries one connection between a local socket and a pod. What the protocol cannot carry: docs/decisions/0025. */
export class Tunnel {
  private sent = 0;
  private received = 0;
  private awaitsPong = false;
  private result: TunnelResult | undefined;
  private finish: (result: TunnelResult) => void = () => undefined;

  constructor(
    private readonly socket: Socket,
    private readonly pod: PodConnection,
    private readonly watch: TunnelWatch,
  ) {}

  /** Returns when both ends are closed or about to be. The socket must be paused at the call. */
  run(): Promise<TunnelResult> {
    const { socket, pod, watch } = this;
    socket.on('data', (data) => this.send(data));
    socket.on('drain', () => pod.resume());
    socket.once('end', () => this.endedByPeer());
    socket.on('error', () => this.reset());
    socket.once('close', () => this.reset());
    watch.heartbeat.add(this);
    return new Promise((resolve) => {
      this.finish = resolve;
      pod.listen({
        data: (data) => this.deliver(data),
        ended: () => this.closedByPod(),
        failed: (message) => this.fail(message),
        answered: () => (this.awaitsPong = false),
      });
      socket.resume();
    });
  }

  /** Ends it at once. */
  fail(failure: string): void {
    if (!this.settle(failure)) return;
    this.pod.terminate();
    this.socket.resetAndDestroy();
  }

  /** Handles a heartbeat: finds out that the last ping got no answer, and sends the next one. */
  beat(mayJudge: boolean): void {
    if (this.awaitsPong && mayJudge && !this.pod.isBlocked) {
      this.fail('The pod does not answer: a ping was lost.');
      return;
    }
    if (!this.awaitsPong) this.pod.ping();
    this.awaitsPong = true;
  }

  private send(data: Buffer): void {
    const { socket, pod } = this;
    this.sent += data.length;
    this.watch.memory.passing(data.length);
    pod.send(data, () => {
      if (socket.isPaused() && pod.waiting <= MOST_WAITING) socket.resume();
    });
    if (pod.waiting > MOST_WAITING) socket.pause();
  }

  private deliver(data: Buffer): void {
    const isFull = !this.socket.write(data);
    // While a session is paused, its other connection waits too.
    if (isFull && !(this.pod.isShared && this.socket.writableLength <= KEPT_BYTES)) this.pod.pause();
    if (this.received === 0) this.watch.onReply();
    this.received += data.length;
    this.watch.memory.passing(data.length);
  }

  /** The reply has ended. */
  private closedByPod(): void {
    if (!this.settle()) return;
    const { socket } = this;
    this.pod.end();
    // Data that still comes is discarded: to close a socket with unread bytes would lose the reply.
    socket.removeAllListeners('data').resume();
    socket.end(() => {
      const timer = setTimeout(() => socket.destroy(), LINGER_MS);
      socket.once('close', () => clearTimeout(timer));
    });
  }

  /** The local program sends no more. It may still wait for the reply, or have closed its socket. */
  private endedByPeer(): void {
    this.watch.halfOpen.add(this.socket, () => this.closedByPeer());
    // A program that has got no reply most likely waits for it, and another connection would wait for its reader.
    if (this.received > 0 && this.socket.writableLength === 0) this.pod.spare();
  }

  /** The local program has closed its socket. The pod gets what was sent, then the end. */
  private closedByPeer(): void {
    if (!this.settle()) return;
    this.pod.end();
    this.socket.destroy();
  }

  private reset(): void {
    if (this.settle()) this.pod.terminate();
  }

  private settle(failure?: string): boolean {
    if (this.result) return false;
    this.result = { sent: this.sent, received: this.received, failure };
    this.watch.heartbeat.delete(this);
    this.watch.halfOpen.delete(this.socket);
    this.finish(this.result);
    return true;
  }
}
