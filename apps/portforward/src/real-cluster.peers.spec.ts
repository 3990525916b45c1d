/**
 * @peers kubernetes forward-node
 * @paths apps/portforward libs/forwards libs/environments/src libs/testing/src/kubernetes
 */
import type { ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { forwardArgs, logPathOf, recordPath, writeRecord } from '@plat/forwards';
import { findFreePort, workspaceRoot } from '@plat/local';
import { execFile, type ForwardCluster, PodProgram, spawn, startForwardCluster } from '@plat/testing';

jest.setTimeout(60_000);

const ENVIRONMENT = { tenant: 'acme', environment: 'dev' };
const LABELS = { app: 'runtime' };
const POD_PORT = 9000;
const SERVICE = { name: 'acme-mcp', selector: LABELS, port: 17_011, targetPort: 'mcp' };
const MILLION = 1_000_000;

/** The rights in the namespace that a user needs according to docs/decisions/0025-port-forwards.md. */
const DOCUMENTED_RIGHTS = [
  { resources: ['services'], verbs: ['get'] },
  { resources: ['pods'], verbs: ['list'] },
  { resources: ['pods/portforward'], verbs: ['create', 'get'] },
];

let cluster: ForwardCluster;
let program: string;
const closing: Array<() => unknown> = [];
beforeAll(async () => {
  const build = [join(workspaceRoot(), 'apps', 'plat', 'build.mjs'), '--if-stale'];
  const { stdout } = await promisify(execFile)(process.execPath, build);
  program = join(dirname(stdout.trim()), 'portforward.js');
  cluster = await startForwardCluster();
}, 120_000);
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => cluster.stop());

/** A pod whose program returns what it gets. */
async function makePod(namespace: string, name: string, options: { isReady?: boolean } = {}) {
  const running = await PodProgram.start((socket) => void socket.pipe(socket));
  closing.push(() => running.kill());
  const pod = { namespace, name, labels: LABELS, ports: { [POD_PORT]: running.port }, running };
  await cluster.makePod({ ...pod, portNames: { mcp: POD_PORT }, ...options });
  return pod;
}

type Pod = Awaited<ReturnType<typeof makePod>>;

/** As the node does it: the containers end, then the pod is gone. */
async function removePod(pod: Pod): Promise<void> {
  await cluster.removePod(pod);
  await pod.running.kill();
}

async function makeNamespace(namespace: string): Promise<void> {
  await cluster.makeNamespace(namespace);
  await cluster.makeService({ namespace, ...SERVICE });
}

class Daemon {
  private constructor(
    readonly port: number,
    private readonly folder: string,
    private readonly start: () => ChildProcess,
    private child: ChildProcess,
  ) {}

  static async start(namespace: string, user: 'admin' | 'stranger' = 'admin'): Promise<Daemon> {
    const [port, folder] = [await findFreePort(), await mkdtemp(join(tmpdir(), 'plat-daemon-'))];
    closing.push(() => rm(folder, { recursive: true }));
    const context = cluster.kubernetes.context;
    const state = recordPath(folder, ENVIRONMENT, 'mcp');
    await mkdir(dirname(state), { recursive: true });
    const record = { ...ENVIRONMENT, kubernetesContext: context, namespace, localPort: port };
    await writeRecord(state, { ...record, logPath: logPathOf(state) });
    const target = { namespace, service: SERVICE.name, localPort: port, port: SERVICE.port, context, state };
    const env = { PATH: process.env.PATH, HOME: folder, KUBECONFIG: await cluster.kubeconfigFile(user) };
    const start = () => {
      const options = { env, stdio: ['ignore', 'pipe', 'inherit'] as ['ignore', 'pipe', 'inherit'] };
      const child = spawn(process.execPath, [program, ...forwardArgs(target)], options);
      closing.push(() => child.kill('SIGKILL'));
      return child;
    };
    const daemon = new Daemon(port, folder, start, start());
    await daemon.expectListening();
    return daemon;
  }

  /** Starts another process with the same arguments after this one has ended. */
  async startAgain(): Promise<void> {
    this.child = this.start();
    await this.expectListening();
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** @returns the exit code, or the signal that ended it */
  async waitForExit(): Promise<number | NodeJS.Signals> {
    const { exitCode, signalCode } = this.child;
    if (exitCode !== null || signalCode !== null) return exitCode ?? signalCode!;
    const [code, signal] = (await once(this.child, 'exit')) as [number | null, NodeJS.Signals];
    return code ?? signal;
  }

  log(): Promise<string> {
    return readFile(logPathOf(recordPath(this.folder, ENVIRONMENT, 'mcp')), 'utf8');
  }

  private async expectListening(): Promise<void> {
    const [line] = (await once(createInterface(this.child.stdout!), 'line')) as [string];
    expect(JSON.parse(line)).toEqual({ listening: this.port, pid: this.child.pid });
  }
}

/** A connection through the forward. */
function open({ port }: Daemon): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  closing.push(() => socket.destroy());
  return socket;
}

const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex');

/** Sends a million bytes to the pod, which returns them, and checks that they arrive unchanged both ways. */
async function exchange(socket: Socket): Promise<void> {
  const sent = randomBytes(MILLION);
  const returned = receive(socket);
  socket.write(sent);
  expect(digest(await returned)).toBe(digest(sent));
}

/** A million bytes. @throws if the connection ends before */
function receive(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new Error('the connection was cut'));
    socket.once('close', onClose);
    if (socket.closed) onClose();
    socket.on('data', function onData(chunk: Buffer) {
      chunks.push(chunk);
      length += chunk.length;
      if (length < MILLION) return;
      socket.off('data', onData).off('close', onClose);
      resolve(Buffer.concat(chunks));
    });
  });
}

async function cut(socket: Socket): Promise<void> {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

async function restartApi(whileDown: () => unknown): Promise<void> {
  await cluster.kubernetes.crashApi();
  try {
    await whileDown();
  } finally {
    await cluster.kubernetes.startApi();
  }
}

/** A fresh connection that works. */
async function works(daemon: Daemon): Promise<void> {
  const socket = open(daemon);
  await exchange(socket);
  socket.destroy();
}

/** A fresh connection that is ended without a byte. */
async function fails(daemon: Daemon): Promise<void> {
  await expect(works(daemon)).rejects.toThrow('the connection was cut');
}

describe('a forward on a real API server', () => {
  it('carries a million bytes both ways unchanged, and says in its log which pod was used', async () => {
    await makeNamespace('used');
    await makePod('used', 'waiting', { isReady: false });
    await makePod('used', 'runtime');
    const daemon = await Daemon.start('used');
    await works(daemon);
    expect(await daemon.log()).toMatch(/ listening .*\n.* opened .*runtime/);
  });

  it('listens on its port again right after kill -9', async () => {
    await makeNamespace('killed');
    await makePod('killed', 'runtime');
    const daemon = await Daemon.start('killed');
    const socket = open(daemon);
    await exchange(socket);
    daemon.signal('SIGKILL');
    expect(await daemon.waitForExit()).toBe('SIGKILL');
    await expect(exchange(socket)).rejects.toThrow('the connection was cut');
    await daemon.startAgain();
    await works(daemon);
  });

  it('ends a connection when its pod is removed, and connects the next with the pod that replaces it', async () => {
    await makeNamespace('replaced');
    const first = await makePod('replaced', 'first');
    const daemon = await Daemon.start('replaced');
    const socket = open(daemon);
    await exchange(socket);
    await removePod(first);
    await cut(socket);
    await fails(daemon);
    await makePod('replaced', 'second');
    await works(daemon);
    expect(await daemon.log()).toMatch(/ failed .*ready[^]* opened .*second/);
  });

  it('connects with no pod that is terminating, although it still says that it is ready', async () => {
    await makeNamespace('terminating');
    const first = await makePod('terminating', 'first');
    const daemon = await Daemon.start('terminating');
    await works(daemon);
    await cluster.terminatePod(first);
    await fails(daemon);
    await makePod('terminating', 'second');
    await works(daemon);
    await removePod(first);
  });

  it('waits for no pod: a connection fails while none is ready, and works as soon as one is', async () => {
    await makeNamespace('not-ready');
    const pod = await makePod('not-ready', 'runtime', { isReady: false });
    const daemon = await Daemon.start('not-ready');
    await fails(daemon);
    await cluster.setReady(pod, true);
    await works(daemon);
    await cluster.setReady(pod, false);
    await fails(daemon);
  });

  it('ends a connection when the API server crashes, and works again once that is back', async () => {
    await makeNamespace('restarted');
    await makePod('restarted', 'runtime');
    const daemon = await Daemon.start('restarted');
    const socket = open(daemon);
    await exchange(socket);
    await restartApi(async () => {
      await cut(socket);
      await fails(daemon);
    });
    await works(daemon);
  });

  it('works at once after it was stopped like a laptop that sleeps, while the API server restarted', async () => {
    await makeNamespace('asleep');
    await makePod('asleep', 'runtime');
    const daemon = await Daemon.start('asleep');
    await works(daemon);
    daemon.signal('SIGSTOP');
    await restartApi(() => undefined);
    // The kernel accepts it meanwhile.
    const waiting = open(daemon);
    await once(waiting, 'connect');
    daemon.signal('SIGCONT');
    await exchange(waiting);
    await works(daemon);
  });

  it.each<[string, (daemon: Daemon, pod: Pod) => Promise<unknown>]>([
    ['its pod is no longer ready', (_, pod) => cluster.setReady(pod, false)],
    ['its pod is terminating', (_, pod) => cluster.terminatePod(pod)],
    ['the Service has another pod, too', (_, { namespace }) => makePod(namespace, 'another')],
    ['the Service is removed', (_, { namespace }) => removeService(namespace)],
  ])('does not cut a connection when %s: a million bytes arrive unchanged', async (title, happen) => {
    const namespace = title.replaceAll(/\W+/g, '-').toLowerCase();
    await makeNamespace(namespace);
    const pod = await makePod(namespace, 'runtime');
    const daemon = await Daemon.start(namespace);
    const socket = open(daemon);
    await exchange(socket);
    await happen(daemon, pod);
    await exchange(socket);
    await removePod(pod);
  });

  it('does not cut a connection when it is stopped in the middle of a million bytes', async () => {
    await makeNamespace('stopped');
    await makePod('stopped', 'runtime');
    const daemon = await Daemon.start('stopped');
    const socket = open(daemon);
    await exchange(socket);
    const exchanged = exchange(socket);
    daemon.signal('SIGSTOP');
    await cluster.requests.send(NODE);
    daemon.signal('SIGCONT');
    await exchanged;
  });

  it('needs no more rights than are documented', async () => {
    await makeNamespace('granted');
    await makePod('granted', 'runtime');
    const daemon = await Daemon.start('granted', 'stranger');
    await fails(daemon);
    expect(await daemon.log()).toMatch(/ failed .*forbidden/);
    await cluster.grant('granted', DOCUMENTED_RIGHTS);
    await works(daemon);
  });

  it('ends by itself when its namespace is removed, and says so', async () => {
    await makeNamespace('removed');
    const pod = await makePod('removed', 'runtime');
    const daemon = await Daemon.start('removed');
    await works(daemon);
    await cluster.removeNamespace('removed');
    await pod.running.kill();
    await fails(daemon);
    expect(await daemon.waitForExit()).toBe(0);
    expect(await daemon.log()).toMatch(/ gone .*removed/);
  });

  it('ends by SIGTERM with a connection open', async () => {
    await makeNamespace('ended');
    await makePod('ended', 'runtime');
    const daemon = await Daemon.start('ended');
    const socket = open(daemon);
    await exchange(socket);
    daemon.signal('SIGTERM');
    await cut(socket);
    expect(await daemon.waitForExit()).toBe(0);
    expect(await daemon.log()).toMatch(/ stopped /);
  });
});

const NODE = { method: 'GET', path: '/api/v1/nodes' } as const;

function removeService(namespace: string): Promise<unknown> {
  const path = `/api/v1/namespaces/${namespace}/services/${SERVICE.name}`;
  return cluster.requests.send({ method: 'DELETE', path });
}
