import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { ForwardingApi, type PodPort } from '@plat/testing';
import { ClusterAccess } from '../cluster-access';
import { ClusterApi } from '../cluster-api';
import { Heartbeat } from '../heartbeat';
import { PodDialer } from '../pod-dialer';
import { PodForward } from '../pod-forward';
import type { TunnelResult } from '../tunnel';

export const TARGET = { namespace: 'acme-dev', service: 'acme-api', port: 17033 };

/** A forward in this process to the double of an API server, with what it reports. */
export class ForwardStand {
  readonly replied: { pod: string }[] = [];
  readonly failed: string[] = [];
  readonly gone: string[] = [];
  port = 0;
  private readonly results: TunnelResult[] = [];
  private readonly waiting: ((result: TunnelResult) => void)[] = [];
  private readonly cleanups: (() => unknown)[] = [];

  private constructor(readonly api: ForwardingApi) {}

  /**
   * @param options `paths`: kubeconfigs other than the double's own; `beat`: milliseconds between pings; `connectionsMax`:
   * most connections at once
   */
  static async start(
    options: {
      beat?: number;
      paths?: string[];
      tls?: { cert: string; key: string };
      connectionsMax?: number;
    } = {},
  ): Promise<ForwardStand> {
    const stand = new ForwardStand(await ForwardingApi.start(options.tls));
    stand.cleanups.push(() => stand.api.stop());
    const { kubeconfig, context } = stand.api;
    const access = new ClusterAccess({ paths: options.paths ?? [kubeconfig], context });
    stand.cleanups.push(() => access.close());
    const forward = new PodForward({
      dialer: new PodDialer(new ClusterApi(access), TARGET),
      heartbeat: new Heartbeat(options.beat),
      connectionsMax: options.connectionsMax,
      report: {
        replied: (connection) => void stand.replied.push(connection),
        ended: (result) => stand.ended(result),
        failed: (error) => void stand.failed.push((error as Error).message),
        gone: (message) => void stand.gone.push(message),
      },
    });
    stand.port = await forward.listen(0);
    stand.cleanups.push(() => forward.close());
    return stand;
  }

  async stop(): Promise<void> {
    for (const cleanup of this.cleanups.splice(0).reverse()) await cleanup();
  }

  /** The target Service with one ready pod. */
  addService(pod: PodPort): void {
    this.api.addService(TARGET.namespace, TARGET.service, { port: TARGET.port, pod });
  }

  /** A program in the pod; the port that it listens at. */
  async program(onConnection: (socket: Socket) => void, options = {}): Promise<number> {
    const sockets = new Set<Socket>();
    const server = createServer(options, (socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      onConnection(socket);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.cleanups.push(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }

  /** A program in a pod that sends its name, then what it gets. */
  named(name: string): Promise<number> {
    return this.program((socket) => {
      socket.write(name);
      socket.pipe(socket);
    });
  }

  /** A connection of a local program. */
  async connect(options: { allowHalfOpen?: boolean } = {}): Promise<Socket> {
    const socket = connect({ port: this.port, host: '127.0.0.1', ...options });
    this.cleanups.push(() => socket.destroy());
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }

  /** Returns the result of the next connection that ends. */
  nextEnd(): Promise<TunnelResult> {
    return new Promise((resolve) => {
      const [result] = this.results.splice(0, 1);
      if (result) resolve(result);
      else this.waiting.push(resolve);
    });
  }

  private ended(result: TunnelResult): void {
    const waiting = this.waiting.shift();
    if (waiting) waiting(result);
    else this.results.push(result);
  }
}

/** Everything until the end. */
export async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The first bytes that come. */
export async function firstBytes(socket: Socket): Promise<string> {
  const [data] = (await once(socket, 'data')) as [Buffer];
  return data.toString();
}

/** How a local socket ended: `end` with the pod's end, `cut` with a reset that no program takes for an end. */
export function endOf(socket: Socket): Promise<'end' | 'cut'> {
  socket.resume();
  return new Promise((resolve) => {
    socket.once('end', () => resolve('end'));
    socket.once('error', () => resolve('cut'));
  });
}
