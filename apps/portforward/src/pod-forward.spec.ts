import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { type AddressInfo } from 'node:net';
import { ForwardingApi, type PodTunnel } from '@plat/testing';
import { ClusterAccess } from './cluster-access';
import { ClusterApi } from './cluster-api';
import { Heartbeat } from './heartbeat';
import { PodDialer } from './pod-dialer';
import { PodForward } from './pod-forward';

const TARGET = { namespace: 'acme-dev', service: 'acme-api', port: 17033 };
const MILLION = 1_000_000;

/** A forward in this process, to the API double, with what it reports. */
interface Stand {
  api: ForwardingApi;
  port: number;
  replied: { pod: string }[];
  failed: string[];
  gone: string[];
  ended(): Promise<{ failure?: string; sent: number; received: number }>;
  connect(options?: { allowHalfOpen?: boolean }): Promise<Socket>;
}

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function stand({ beat = 20_000 } = {}): Promise<Stand> {
  const api = await ForwardingApi.start();
  cleanups.push(() => api.stop());
  const access = new ClusterAccess({ paths: [api.kubeconfig], context: api.context });
  cleanups.push(() => access.close());
  const results: { failure?: string; sent: number; received: number }[] = [];
  const waiting: ((result: (typeof results)[number]) => void)[] = [];
  const seen = { replied: [] as { pod: string }[], failed: [] as string[], gone: [] as string[] };
  const forward = new PodForward({
    dialer: new PodDialer(new ClusterApi(access), TARGET),
    heartbeat: new Heartbeat(beat),
    report: {
      replied: (connection) => seen.replied.push(connection),
      ended: (result) => (waiting.length > 0 ? waiting.shift()?.(result) : results.push(result)),
      failed: (error) => seen.failed.push((error as Error).message),
      gone: (message) => seen.gone.push(message),
    },
  });
  const port = await forward.listen(0);
  cleanups.push(() => forward.close());
  return {
    api,
    port,
    ...seen,
    ended: () => new Promise((resolve) => (results.length > 0 ? resolve(results.shift()!) : waiting.push(resolve))),
    connect: async (options) => {
      const socket = connect({ port, host: '127.0.0.1', ...options });
      cleanups.push(() => socket.destroy());
      await once(socket, 'connect');
      return socket;
    },
  };
}

/** A program in the pod. */
async function program(onConnection: (socket: Socket) => void, options = {}): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer(options, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    onConnection(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

const echo = (socket: Socket) => socket.pipe(socket);

function addService(api: ForwardingApi, pod: Parameters<ForwardingApi['addService']>[2]['pod']): void {
  api.addService(TARGET.namespace, TARGET.service, { port: TARGET.port, pod });
}

async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** How a local socket ended: with the pod's end, or cut. */
async function endOf(socket: Socket): Promise<'end' | 'cut'> {
  socket.resume();
  return new Promise((resolve) => {
    socket.once('end', () => resolve('end'));
    socket.once('error', () => resolve('cut'));
  });
}

/** Sends a line and returns the answer's first bytes. */
async function ask(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString();
}

const digest = (data: Buffer) => createHash('sha256').update(data).digest('hex');

describe('data', () => {
  it('carries a million bytes unchanged both ways at once', async () => {
    const { api, connect, ended } = await stand();
    addService(api, await program(echo));
    const socket = await connect();
    const data = randomBytes(MILLION);
    socket.write(data);
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length === MILLION) break;
    }
    expect(digest(Buffer.concat(chunks))).toBe(digest(data));
    expect(await ended()).toMatchObject({ sent: MILLION, received: MILLION, failure: undefined });
  });

  it('keeps little of what the local program does not read', async () => {
    const { api, connect } = await stand();
    const counted = { sent: 0 };
    addService(
      api,
      await program((socket) => {
        const block = Buffer.alloc(1024 * 1024);
        const fill = () => {
          while (counted.sent < 200 && socket.write(block)) counted.sent += 1;
          if (counted.sent < 200) socket.once('drain', () => ((counted.sent += 1), fill()));
          else socket.end();
        };
        fill();
      }),
    );
    const socket = await connect();
    socket.pause();
    // The pod's writes stop once the buffers of the system are full: no more is then taken from it.
    let before = -1;
    while (counted.sent !== before) {
      before = counted.sent;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(counted.sent).toBeLessThan(40);
    const data = await readAll(socket);
    expect(data.length).toBeGreaterThanOrEqual(200 * 1024 * 1024);
  });

  it('keeps little of what the pod does not read', async () => {
    const { api, connect } = await stand();
    const taken = Promise.withResolvers<Socket>();
    addService(
      api,
      await program((socket) => {
        socket.pause();
        taken.resolve(socket);
      }),
    );
    const socket = await connect();
    const block = Buffer.alloc(1024 * 1024);
    let written = 0;
    while (written < 200 && socket.write(block)) written += 1;
    await taken.promise;
    let before = -1;
    while (socket.bytesWritten - socket.writableLength !== before) {
      before = socket.bytesWritten - socket.writableLength;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(written).toBeLessThan(40);
  });
});
