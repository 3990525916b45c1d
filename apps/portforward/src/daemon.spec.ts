import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { forwardArgs } from '@plat/forwards';
import { workspaceRoot } from '@plat/local';
import { execFile, ForwardingApi, kubeconfigOf, reservePorts, spawn } from '@plat/testing';
import { endOf, firstBytes } from './black-box/forward-stand';

/** How long a daemon is stopped, as in a sleep of the machine; the nightly run has minutes. */
const SLEEP_MS = Number(process.env.FORWARD_SLEEP_SECONDS ?? 0) * 1000;
jest.setTimeout(60_000 + SLEEP_MS);

const TARGET = { namespace: 'acme-dev', service: 'acme-ssh', port: 17022 };
const RECORD_ID = '7f3c1d2e-0000-4000-8000-000000000001';

let api: ForwardingApi;
let folder: string;
let program: string;
let localPort: number;
let state: string;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  const build = [join(workspaceRoot(), 'apps', 'plat', 'build.mjs'), '--if-stale'];
  const { stdout } = await promisify(execFile)(process.execPath, build);
  program = join(dirname(stdout.trim()), 'portforward.js');
});

beforeEach(async () => {
  api = await ForwardingApi.start();
  folder = await mkdtemp(join(tmpdir(), 'plat-forward-'));
  state = join(folder, 'plat', 'portforward', 'sshd', 'acme', 'dev.json');
  await mkdir(dirname(state), { recursive: true });
  const reserved = await reservePorts();
  cleanups.push(reserved.release);
  localPort = reserved.start;
  const port = await echoProgram();
  api.addService(TARGET.namespace, TARGET.service, { port: TARGET.port, pod: port });
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  await api.stop();
  await rm(folder, { recursive: true });
});

/** A program in the pod. */
async function echoProgram(): Promise<number> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    socket.pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Starts the daemon as `plat open` does. */
function run(entry = program): ChildProcess {
  const args = [entry, ...forwardArgs({ ...TARGET, localPort, context: api.context, state })];
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, HOME: folder, KUBECONFIG: api.kubeconfig },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const exited = once(child, 'exit');
  cleanups.push(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return child;
}

async function startDaemon(entry?: string): Promise<ChildProcess> {
  const daemon = run(entry);
  expect(await firstLine(daemon)).toEqual({ listening: localPort, pid: daemon.pid });
  return daemon;
}

async function firstLine(child: ChildProcess): Promise<unknown> {
  const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
  return JSON.parse(line);
}

function open(): Socket {
  const socket = connect({ host: '127.0.0.1', port: localPort });
  socket.on('error', () => undefined);
  cleanups.push(() => socket.destroy());
  return socket;
}

async function ask(word: string): Promise<string> {
  const socket = open();
  socket.write(word);
  const answer = await firstBytes(socket);
  socket.destroy();
  return answer;
}

/** As to a user whose rights end with the namespace, once it is removed; such a user cannot ask for it either. */
function forbid(): void {
  api.insteadOfAnswer = (_request, socket) => {
    socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}');
    return false;
  };
}

const log = () => readFile(state.replace(/json$/, 'log'), 'utf8');

describe('at its start', () => {
  it('says on one line that it listens, and keeps nothing that it inherited', async () => {
    const daemon = await startDaemon();
    await Promise.all([once(daemon.stdout!, 'close'), once(daemon.stderr!, 'close')]);
    // It accepts connections once its announcement is over.
    expect(await ask('hello')).toBe('hello');
    expect(await readlink(`/proc/${daemon.pid}/fd/1`)).toBe('/dev/null');
    expect(await readlink(`/proc/${daemon.pid}/fd/2`)).toBe('/dev/null');
    expect(await log()).toMatch(
      /^\S+Z listening port=\d+ service=acme-ssh namespace=acme-dev context=test-cluster pid=\d+\n/,
    );
  });

  it('reports a port that is taken, and never waits for it', async () => {
    await startDaemon();
    const second = run();
    const exit = once(second, 'exit');
    expect(await firstLine(second)).toMatchObject({ error: 'EADDRINUSE' });
    expect(await exit).toEqual([1, null]);
  });

  it('reports arguments that are none, with the usage', async () => {
    const child = spawn(process.execPath, [program, 'forward', '--ports', '1'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exit = once(child, 'exit');
    expect(await firstLine(child)).toEqual({
      error: 'FAILED',
      message: expect.stringContaining('usage: forward --namespace') as string,
    });
    expect(await exit).toEqual([1, null]);
  });

  it('listens on 127.0.0.1 alone', async () => {
    await startDaemon();
    const port = localPort.toString(16).toUpperCase().padStart(4, '0');
    const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')));
    const listening = tables.join('').match(new RegExp(`[0-9A-F]+:${port} 0+:0000 0A`, 'g'));
    expect(listening).toEqual([`0100007F:${port} 00000000:0000 0A`]);
  });

  it('writes next to its record, wherever the record says that its log is, and follows no link', async () => {
    const elsewhere = join(folder, 'elsewhere');
    await writeFile(elsewhere, 'untouched');
    await writeFile(state, JSON.stringify({ logPath: elsewhere, processId: 1, localPort: 0 }));
    await symlink(elsewhere, state.replace(/json$/, 'log'));
    await startDaemon();
    expect(await ask('hello')).toBe('hello');
    expect(await readFile(elsewhere, 'utf8')).toBe('untouched');
    expect(await log()).toContain(' listening ');
  });
});

describe('its log', () => {
  it('has a line for a connection that the pod answers, for its end, and for one that fails', async () => {
    await startDaemon();
    expect(await ask('hello')).toBe('hello');
    api.pods.get('acme-dev/acme-ssh-0')!.isReady = false;
    expect(await endOf(open())).toBe('cut');
    const text = await log();
    expect(text).toMatch(/ opened pod=acme-ssh-0 time=\d+\n/);
    expect(text).toMatch(/ failed message="No pod of the Service acme-ssh is ready."\n/);
  });
});

describe('its end', () => {
  it('comes within a second of SIGTERM, also with open connections and a credential plugin that hangs', async () => {
    const daemon = await startDaemon();
    const socket = open();
    socket.write('hello');
    await firstBytes(socket);
    const plugin = join(folder, 'plugin');
    const [running, isRunning] = [join(folder, 'running'), once(daemon, 'exit')];
    await promisify(execFile)('mkfifo', [running]);
    await writeFile(plugin, `#!/bin/sh\necho run > ${running}\nexec sleep 600\n`);
    await chmod(plugin, 0o755);
    const { url, context } = api;
    const config = JSON.parse(kubeconfigOf({ url, token: '', context })) as { users: object[] };
    config.users = [
      { name: 'u', user: { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: plugin } } },
    ];
    await writeFile(api.kubeconfig, JSON.stringify(config));
    open();
    await readFile(running);
    const cut = endOf(socket);
    const before = performance.now();
    daemon.kill('SIGTERM');
    await isRunning;
    expect(performance.now() - before).toBeLessThan(1000);
    expect(await cut).toBe('cut');
    expect(await log()).toMatch(/ stopped signal=SIGTERM\n$/);
  });

  it('is in order after SIGTERM', async () => {
    const daemon = await startDaemon();
    expect(await ask('hello')).toBe('hello');
    const exit = once(daemon, 'exit');
    daemon.kill('SIGTERM');
    expect(await exit).toEqual([0, null]);
  });

  it('comes by itself if the namespace is gone, and its log says so', async () => {
    const daemon = await startDaemon();
    const exit = once(daemon, 'exit');
    api.namespaces.clear();
    api.services.clear();
    expect(await endOf(open())).toBe('cut');
    expect(await exit).toEqual([0, null]);
    expect(await log()).toMatch(/ gone message="The namespace acme-dev is gone."\n$/);
  });

  it.each<[string, () => void]>([
    ['a dial fails', () => api.pods.clear()],
    ['the cluster refuses it, its rights having gone with the namespace,', forbid],
  ])('comes by itself if %s and the platform has no such environment', async (_what, fail) => {
    // The client next to the daemon, in the place of a signed-in one.
    const entry = join(folder, 'package', 'portforward.js');
    await mkdir(dirname(entry));
    await writeFile(entry, await readFile(program));
    const asked = join(folder, 'asked');
    const answer = `require('fs').writeFileSync(${JSON.stringify(asked)}, process.argv.slice(2).join(' '));`;
    await writeFile(
      join(folder, 'package', 'plat.js'),
      `${answer}console.log(JSON.stringify({ code: 'NOT_FOUND' })); process.exitCode = 1;`,
    );
    const config = join(folder, 'plat', 'acme', 'dev', 'config.yaml');
    await mkdir(dirname(config), { recursive: true });
    await writeFile(config, `alias: work\nenvironmentId: ${RECORD_ID}\n`);
    const daemon = await startDaemon(entry);
    const exit = once(daemon, 'exit');
    fail();
    expect(await endOf(open())).toBe('cut');
    expect(await exit).toEqual([0, null]);
    expect(await readFile(asked, 'utf8')).toBe(`api GET /v1/environments/${RECORD_ID} --alias=work --json`);
    expect(await log()).toMatch(/ gone message="The platform has no such environment."\n$/);
  });
});

describe('it stays', () => {
  it('while the cluster refuses to say whether the environment is there, and its log says so', async () => {
    await startDaemon();
    forbid();
    expect(await endOf(open())).toBe('cut');
    api.insteadOfAnswer = undefined;
    expect(await ask('allowed again')).toBe('allowed again');
    expect(await log()).toMatch(/ failed message=".*403.*"\n/);
  });

  it('through a terminal that is closed', async () => {
    const daemon = await startDaemon();
    daemon.kill('SIGHUP');
    expect(await ask('hello')).toBe('hello');
  });
});
