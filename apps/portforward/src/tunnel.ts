import type { Socket } from 'node:net';
import type WebSocket from 'ws';
import { type BufferMemory } from './buffer-memory';
import { type HalfOpenSockets } from './half-open-sockets';
import { type Heartbeat } from './heartbeat';

/** What became of a forwarded connection. */
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

const DATA = 0;
const ERROR = 1;
/** The first message of a channel is its port, two bytes. */
const PORT_BYTES = 2;
/** The local socket is not read while more than this waits for the API server. */
const MOST_WAITING = 512 * 1024;
/** More bytes than this without a reply may wait for a pod that does not read, and a ping waits behind them. */
const UNREAD_BYTES = 64 * 1024;
/** How long the local socket may stay open after the whole reply and its end were sent. */
const LINGER_MS = 2000;
/** Codes of a WebSocket that was closed on purpose. */
const CLOSED = [1000, 1005];

/** Carries one connection between a local socket and a pod. What the protocol cannot carry: docs/decisions/0025. */
export class Tunnel {
  private sent = 0;
  private received = 0;
  /** Bytes to the pod since its last byte. */
  private unanswered = 0;
  private awaitsPong = false;
  private readonly portBytes = [PORT_BYTES, PORT_BYTES];
  private result: TunnelResult | undefined;
  private finish: (result: TunnelResult) => void = () => undefined;

  constructor(
    private readonly socket: Socket,
    private readonly webSocket: WebSocket,
    private readonly watch: TunnelWatch,
  ) {}

  /** Returns when both ends are closed or about to be. Both must be paused at the call. */
  run(): Promise<TunnelResult> {
    const { socket, webSocket, watch } = this;
    webSocket.on('message', (message: Buffer) => this.receive(message));
    webSocket.on('pong', () => (this.awaitsPong = false));
    webSocket.once('close', (code) => this.closedByPod(code));
    webSocket.on('error', (error) => this.fail(`The connection to the pod failed: ${error.message}`));
    socket.on('data', (data) => this.send(data));
    socket.on('drain', () => webSocket.resume());
    socket.once('end', () => watch.halfOpen.add(socket, () => this.closedByPeer()));
    socket.on('error', () => this.reset());
    socket.once('close', () => this.reset());
    watch.heartbeat.add(this);
    return new Promise((resolve) => {
      this.finish = resolve;
      webSocket.resume();
      socket.resume();
    });
  }

  /** Ends it at once. */
  fail(failure: string): void {
    if (!this.settle(failure)) return;
    this.webSocket.terminate();
    this.socket.resetAndDestroy();
  }

  /** One beat of the heart: finds out that nobody answered the last ping, and sends the next. */
  beat(mayJudge: boolean): void {
    const isWaiting = this.webSocket.isPaused || this.unanswered > UNREAD_BYTES;
    if (this.awaitsPong && mayJudge && !isWaiting) {
      this.fail('The pod does not answer: a ping was lost.');
      return;
    }
    if (!this.awaitsPong) this.webSocket.ping();
    this.awaitsPong = true;
  }

  private send(data: Buffer): void {
    const { socket, webSocket } = this;
    this.sent += data.length;
    this.unanswered += data.length;
    this.watch.memory.passing(data.length);
    const message = Buffer.allocUnsafe(data.length + 1);
    message[0] = DATA;
    data.copy(message, 1);
    webSocket.send(message, () => {
      if (socket.isPaused() && webSocket.bufferedAmount <= MOST_WAITING) socket.resume();
    });
    if (webSocket.bufferedAmount > MOST_WAITING) socket.pause();
  }

  private receive(message: Buffer): void {
    this.awaitsPong = false;
    const channel = message[0];
    if (this.result || channel === undefined) return;
    if (channel !== DATA && channel !== ERROR) return this.fail(`The pod sent on channel ${channel}.`);
    const skipped = Math.min(this.portBytes[channel] ?? 0, message.length - 1);
    this.portBytes[channel] = (this.portBytes[channel] ?? 0) - skipped;
    const data = message.subarray(1 + skipped);
    if (data.length === 0) return;
    if (channel === ERROR) return this.fail(data.toString('utf8'));
    this.deliver(data);
  }

  private deliver(data: Buffer): void {
    if (this.received === 0) this.watch.onReply();
    this.received += data.length;
    this.unanswered = 0;
    this.watch.memory.passing(data.length);
    if (!this.socket.write(data)) this.webSocket.pause();
  }

  /** The reply has ended; or the connection was cut, which the local program must not take for an end. */
  private closedByPod(code: number): void {
    if (!CLOSED.includes(code)) return this.fail(`The connection to the pod was cut (${code}).`);
    if (!this.settle()) return;
    const { socket } = this;
    // What still comes is thrown away; a socket that is closed with unread bytes would take back the reply.
    socket.removeAllListeners('data').resume();
    socket.end(() => {
      const timer = setTimeout(() => socket.destroy(), LINGER_MS);
      socket.once('close', () => clearTimeout(timer));
    });
  }

  /** The local program has closed its socket. The pod gets what was sent, then the end. */
  private closedByPeer(): void {
    if (!this.settle()) return;
    this.webSocket.resume();
    this.webSocket.close(1000);
    this.socket.destroy();
  }

  private reset(): void {
    if (this.settle()) this.webSocket.terminate();
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
