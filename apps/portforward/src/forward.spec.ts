import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { forwardArgs } from '@plat/forwards';
import { workspaceRoot } from '@plat/local';
import { type DoubleState, PortForwardDouble } from '@plat/testing';

jest.setTimeout(60_000);

const MEBIBYTE = 1024 * 1024;
const SERVICE = { name: 'acme-ssh', port: 17_022, targetPort: 'main' };

interface Bundle {
  double: PortForwardDouble;
  state: DoubleState;
  folder: string;
  localPort: number;
  log(): string;
  daemon: ChildProcess;
  /** Starts another daemon with the same arguments. */
  start(): ChildProcess;
}

const cleanUps: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

let program: string;
beforeAll(async () => {
  const root = workspaceRoot();
  const build = [join(root, 'apps', 'plat', 'build.mjs'), '--if-stale'];
  const { stdout } = await promisify(execFile)(process.execPath, build);
  program = join(dirname(stdout.trim()), 'portforward.js');
});

/** A server of this machine in the place of a pod's. */
async function backend(serve: (socket: Socket) => void): Promise<number> {
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => undefined);
    cleanUps.push(() => socket.destroy());
    serve(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

const echo = () => backend((socket) => void socket.pipe(socket));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function setUp(state: Partial<DoubleState>): Promise<Bundle> {
  const whole = { namespace: 'acme-dev', service: SERVICE, pods: [], token: 'first', ...state };
  const double = await PortForwardDouble.start(whole);
  cleanUps.push(() => double.kill().catch(() => undefined));
  const folder = await mkdtemp(join(tmpdir(), 'plat-forward-'));
  cleanUps.push(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'kubeconfig'), double.kubeconfig());
  const record = join(folder, 'portforward', 'sshd', 'acme', 'dev.json');
  await mkdir(dirname(record), { recursive: true });
  const localPort = await freePort();
  const target = {
    namespace: 'acme-dev',
    service: SERVICE.name,
    localPort,
    port: SERVICE.port,
    state: record,
  };
  const start = () => {
    const child = spawn(process.execPath, [program, ...forwardArgs(target)], {
      env: { PATH: process.env.PATH, HOME: folder, KUBECONFIG: join(folder, 'kubeconfig') },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    cleanUps.push(() => child.kill('SIGKILL'));
    return child;
  };
  const daemon = start();
  expect(await firstLine(daemon)).toEqual({ listening: localPort, pid: daemon.pid });
  const log = () => readFileSync(record.replace('.json', '.log'), 'utf8');
  return { double, state: whole, folder, localPort, log, daemon, start };
}

async function firstLine(child: ChildProcess): Promise<unknown> {
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return JSON.parse(line);
}

function open(port: number): Socket {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true });
  socket.on('error', () => undefined);
  cleanUps.push(() => socket.destroy());
  return socket;
}

/** Everything that a connection receives until its end. @throws the error that ended it */
async function received(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Sends a word to an echoing pod and returns the answer. */
async function ask(port: number, word = 'hello'): Promise<string> {
  const socket = open(port);
  socket.write(word);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return answer.toString();
}

const digest = (content: Buffer) => createHash('sha256').update(content).digest('hex');

describe('a connection through a forward', () => {
  it('carries bytes unchanged in both directions', async () => {
    const { localPort } = await setUp({ pods: [{ name: 'one', backend: await echo() }] });
    const content = randomBytes(8 * MEBIBYTE);
    const socket = open(localPort);
    const answer = received(socket);
    socket.end(content);
    expect(digest(await answer)).toBe(digest(content));
  });

  it('is opened to a pod that is ready then, and to no other', async () => {
    const [old, next] = [
      await backend((socket) => socket.end('old')),
      await backend((socket) => socket.end('next')),
    ];
    const { localPort, state } = await setUp({ pods: [{ name: 'one', backend: old }] });
    expect(String(await received(open(localPort)))).toBe('old');
    state.pods = [
      { name: 'one', backend: old, isTerminating: true },
      { name: 'half', backend: old, isReady: false },
      { name: 'two', backend: next },
    ];
    expect(String(await received(open(localPort)))).toBe('next');
    // A pod of the same name is another one.
    state.pods = [{ name: 'two', uid: 'later', backend: old }];
    expect(String(await received(open(localPort)))).toBe('old');
  });

  it('keeps the reply to a request whose sender has ended its direction', async () => {
    const pod = await backend((socket) => {
      socket.resume();
      socket.once('data', () => setImmediate(() => socket.end('the reply')));
    });
    const { localPort } = await setUp({ pods: [{ name: 'one', backend: pod }] });
    const socket = open(localPort);
    const answer = received(socket);
    socket.end('request');
    expect(String(await answer)).toBe('the reply');
  });

  it('is reset at once if the pod refuses it, with the reason in the log', async () => {
    const { localPort, log } = await setUp({ pods: [{ name: 'one' }] });
    await expect(received(open(localPort))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(log()).toContain('message="connection refused by the container"');
  });

  it('is reset at once if the API server dies', async () => {
    const { localPort, double } = await setUp({ pods: [{ name: 'one', backend: await echo() }] });
    const socket = open(localPort);
    socket.write('hello');
    await once(socket, 'data');
    const answer = received(socket);
    await double.kill();
    await expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it('is refused with the reason in the log if no pod is ready, and works as soon as one is', async () => {
    const { localPort, state, log } = await setUp({ pods: [{ name: 'one', isReady: false }] });
    await expect(received(open(localPort))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(log()).toMatch(
      / failed connection=1 message="No pod of the Service acme-ssh is ready \(1 in all\)\."/,
    );
    state.pods = [{ name: 'one', backend: await echo() }];
    expect(await ask(localPort)).toBe('hello');
    expect(log()).toMatch(/ opened connection=2 pod=one\n/);
  });

  it('is refused with the reason in the log if the Service is missing', async () => {
    const { localPort, log } = await setUp({ service: undefined });
    await expect(received(open(localPort))).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(log()).toContain('services/acme-ssh not found');
  });

  it('does not take memory for what its reader does not read', async () => {
    const pod = await backend((socket) => {
      const part = Buffer.alloc(MEBIBYTE, 'x');
      const send = () => {
        while (socket.write(part));
      };
      socket.on('drain', send);
      send();
    });
    const { localPort, daemon } = await setUp({ pods: [{ name: 'one', backend: pod }] });
    const socket = open(localPort);
    await once(socket, 'data');
    socket.pause();
    const before = await stableResident(daemon.pid!);
    expect(before).toBeLessThan(160 * MEBIBYTE);
  });

  it('is one of two hundred at once', async () => {
    const { localPort } = await setUp({ pods: [{ name: 'one', backend: await echo() }] });
    const words = Array.from({ length: 200 }, (_, index) => `word ${index}`);
    expect(await Promise.all(words.map((word) => ask(localPort, word)))).toEqual(words);
  });
});

/** Resident bytes of a process once they no longer grow. */
async function stableResident(pid: number): Promise<number> {
  for (let last = 0; ;) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const bytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
    if (bytes <= last) return bytes;
    last = bytes;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

describe('the forward itself', () => {
  it('uses credentials that were rotated in the kubeconfig', async () => {
    const { localPort, state, double, folder } = await setUp({
      pods: [{ name: 'one', backend: await echo() }],
    });
    expect(await ask(localPort)).toBe('hello');
    state.token = 'second';
    await writeFile(join(folder, 'kubeconfig'), double.kubeconfig());
    expect(await ask(localPort)).toBe('hello');
  });

  it('asks a credential plugin again after its token is refused', async () => {
    const { localPort, state, double, folder } = await setUp({
      pods: [{ name: 'one', backend: await echo() }],
    });
    const config = JSON.parse(double.kubeconfig()) as { users: Array<{ user: object }> };
    const credential = (token: string) =>
      JSON.stringify({
        apiVersion: 'client.authentication.k8s.io/v1',
        kind: 'ExecCredential',
        status: { token },
      });
    await writeFile(join(folder, 'credential'), credential('first'));
    const exec = {
      apiVersion: 'client.authentication.k8s.io/v1',
      command: 'cat',
      args: [join(folder, 'credential')],
    };
    config.users[0]!.user = { exec };
    await writeFile(join(folder, 'kubeconfig'), JSON.stringify(config));
    expect(await ask(localPort)).toBe('hello');
    await writeFile(join(folder, 'credential'), credential('second'));
    state.token = 'second';
    expect(await ask(localPort)).toBe('hello');
  });

  it('works again after the API server was restarted, although its connections have ended', async () => {
    const { localPort, state, double, folder } = await setUp({
      pods: [{ name: 'one', backend: await echo() }],
    });
    expect(await ask(localPort)).toBe('hello');
    const { port } = double;
    await double.kill();
    const restarted = await PortForwardDouble.start(state, port);
    cleanUps.push(() => restarted.kill());
    await writeFile(join(folder, 'kubeconfig'), restarted.kubeconfig());
    expect(await ask(localPort)).toBe('hello');
  });

  it('ends by itself when the namespace is gone, and says so in its log', async () => {
    const { localPort, state, daemon, log } = await setUp({ pods: [{ name: 'one', backend: await echo() }] });
    state.namespace = undefined;
    const ended = once(daemon, 'exit');
    open(localPort);
    expect(await ended).toEqual([0, null]);
    expect(log()).toContain(' gone message="the namespace acme-dev is gone"\n');
  });

  it('ends by SIGTERM at once, with its connections, and says so in its log', async () => {
    const { localPort, daemon, log } = await setUp({ pods: [{ name: 'one', backend: await echo() }] });
    const socket = open(localPort);
    socket.write('hello');
    await once(socket, 'data');
    const answer = received(socket);
    const ended = once(daemon, 'exit');
    daemon.kill('SIGTERM');
    await expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await ended).toEqual([0, null]);
    expect(log()).toMatch(/ stopped signal=SIGTERM\n/);
  });

  it('reports a port that is taken, and never waits for it', async () => {
    const { start } = await setUp({});
    const second = start();
    const ended = once(second, 'exit');
    expect(await firstLine(second)).toMatchObject({ error: 'EADDRINUSE' });
    expect(await ended).toEqual([1, null]);
  });

  it('listens on 127.0.0.1 alone', async () => {
    const { daemon, localPort } = await setUp({});
    const table = await readFile('/proc/net/tcp', 'utf8');
    const hex = localPort.toString(16).toUpperCase().padStart(4, '0');
    expect(table).toContain(`0100007F:${hex}`);
    expect(table).not.toContain(`00000000:${hex}`);
    daemon.kill();
  });

  it('works on after it was stopped for a while, as a laptop that slept', async () => {
    const { localPort, daemon } = await setUp({ pods: [{ name: 'one', backend: await echo() }] });
    expect(await ask(localPort)).toBe('hello');
    daemon.kill('SIGSTOP');
    const answer = ask(localPort, 'awake');
    daemon.kill('SIGCONT');
    expect(await answer).toBe('awake');
  });
});
