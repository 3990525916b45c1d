import { createServer, type Socket } from 'node:net';
import { withDeadline } from './abortable';
import { BufferMemory } from './buffer-memory';
import { ApiUnreachable, EnvironmentGone } from './failures';
import { HalfOpenSockets } from './half-open-sockets';
import { Heartbeat } from './heartbeat';
import { type Dialed, type PodDialer } from './pod-dialer';
import { Tunnel, type TunnelResult } from './tunnel';

/** The reports of a forward on its connections. Times are milliseconds. */
export interface ForwardReport {
  /** The pod has sent its first byte. */
  replied(connection: { pod: string; time: number }): void;
  ended(connection: TunnelResult & { pod: string; time: number }): void;
  /** The connection was not made. */
  failed(error: unknown): void;
  /** The namespace does not exist. */
  gone(message: string): void;
}

const DIAL_MS = 10_000;
/** Most connections at once. Each takes memory here, and a stream of the API server. */
const CONNECTIONS_MAX = 500;

/** A listener on 127.0.0.1 that carries each connection to a pod, which it dials for each. */
export class PodForward {
  private readonly sockets = new Set<Socket>();
  private readonly halfOpen = new HalfOpenSockets();
  private readonly memory = new BufferMemory();
  private readonly heartbeat: Heartbeat;
  private readonly dialer: Pick<PodDialer, 'dial' | 'close'>;
  private readonly report: ForwardReport;
  private readonly connectionsMax: number;
  private isFull = false;
  private readonly server = createServer(
    { allowHalfOpen: true, pauseOnConnect: true, noDelay: true },
    (socket) => void this.accept(socket),
  );

  constructor(parts: {
    dialer: Pick<PodDialer, 'dial' | 'close'>;
    report: ForwardReport;
    heartbeat?: Heartbeat;
    /** Default 500. */
    connectionsMax?: number | undefined;
  }) {
    this.dialer = parts.dialer;
    this.report = parts.report;
    this.heartbeat = parts.heartbeat ?? new Heartbeat();
    this.connectionsMax = parts.connectionsMax ?? CONNECTIONS_MAX;
  }

  /** @returns the port; fails with the system's error if it is taken */
  listen(port: number): Promise<number> {
    const { server } = this;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
        server.removeListener('error', reject);
        // A connection that cannot be accepted, for want of file descriptors, is that connection's failure.
        server.on('error', (error) => this.report.failed(error));
        const address = server.address();
        resolve(typeof address === 'object' && address ? address.port : port);
      });
    });
  }

  /** Ends the listener and every connection at once. */
  close(): void {
    this.server.close();
    for (const socket of this.sockets) socket.resetAndDestroy();
    this.dialer.close();
  }

  private async accept(socket: Socket): Promise<void> {
    // A socket may fail while its pod is dialed.
    socket.on('error', () => undefined);
    if (this.sockets.size >= this.connectionsMax) return this.refuse(socket);
    this.isFull = false;
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    const start = performance.now();
    try {
      const dialed = await this.dial();
      if (socket.destroyed) return dialed.connection.terminate();
      await this.carry(socket, dialed, start);
    } catch (error) {
      // A client that sees the end of its connection can read the reason.
      this.report.failed(error);
      socket.resetAndDestroy();
      if (error instanceof EnvironmentGone) this.report.gone(error.message);
    }
  }

  /** Reports the first refusal of a row alone: a program that connects without end would fill the log. */
  private refuse(socket: Socket): void {
    socket.resetAndDestroy();
    if (this.isFull) return;
    this.isFull = true;
    this.report.failed(
      new Error(`${this.connectionsMax} connections are open: no other is carried until one of them ends.`),
    );
  }

  private dial(): Promise<Dialed> {
    const late = new ApiUnreachable(
      'The API server does not answer: no pod was reached in 10 seconds.',
      false,
    );
    return withDeadline(DIAL_MS, late, (signal) => this.dialer.dial(signal));
  }

  private async carry(socket: Socket, { connection, pod }: Dialed, start: number): Promise<void> {
    const since = () => Math.round(performance.now() - start);
    const { heartbeat, halfOpen, memory, report } = this;
    const onReply = () => report.replied({ pod: pod.name, time: since() });
    const result = await new Tunnel(socket, connection, { heartbeat, halfOpen, memory, onReply }).run();
    report.ended({ ...result, pod: pod.name, time: since() });
  }
}
