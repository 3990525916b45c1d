import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { forwardArgs } from '@plat/forwards';
import { workspaceRoot } from '@plat/local';
import { execFile, ForwardingApi, reservePorts, spawn } from '@plat/testing';
import { endOf, firstBytes, readAll } from './black-box/forward-stand';

/** How long a daemon is stopped, as in a sleep of the machine; the nightly run has minutes. */
const SLEEP_MS = Number(process.env.FORWARD_SLEEP_SECONDS ?? 0) * 1000;
jest.setTimeout(60_000 + SLEEP_MS);

const TARGET = { namespace: 'acme-dev', service: 'acme-ssh', port: 17022 };

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

const log = () => readFile(state.replace(/json$/, 'log'), 'utf8');

describe('it stays', () => {
  it('until a user whose rights ended with the namespace may see that it is gone', async () => {
    const daemon = await startDaemon();
    api.namespaces.clear();
    api.insteadOfAnswer = ({ url = '' }, socket) => {
      if (!url.includes('/services/')) return true;
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}');
      return false;
    };
    const ended = once(daemon, 'exit');
    expect(await endOf(open())).toBe('cut');
    await ended;
    expect(await log()).toContain('gone message="The namespace acme-dev is gone."');
  });

  it('through a sleep of minutes: an open connection goes on, and the next one works', async () => {
    const daemon = await startDaemon();
    const socket = open();
    socket.write('before');
    expect(await firstBytes(socket)).toBe('before');
    daemon.kill('SIGSTOP');
    socket.write('after');
    const answers = [ask('awake'), firstBytes(socket)];
    await delay(SLEEP_MS);
    daemon.kill('SIGCONT');
    expect(await Promise.all(answers)).toEqual(['awake', 'after']);
    expect(await log()).not.toContain(' failed ');
  });

  it('through a sleep of minutes and a restart of the API server: the next connection works', async () => {
    const daemon = await startDaemon();
    expect(await ask('hello')).toBe('hello');
    daemon.kill('SIGSTOP');
    const answer = ask('awake');
    await Promise.all([api.restart(), delay(SLEEP_MS)]);
    daemon.kill('SIGCONT');
    expect(await answer).toBe('awake');
    await api.restart();
    expect(await ask('again')).toBe('again');
  });

  it('without taking memory for what no one reads', async () => {
    const poured = Buffer.alloc(1024 * 1024);
    api.pods.get('acme-dev/acme-ssh-0')!.ports[TARGET.port] = ({ stream }) => {
      const pour = (left: number) => (left === 0 ? stream.end() : stream.send(poured, () => pour(left - 1)));
      pour(256);
    };
    const daemon = await startDaemon();
    const socket = open();
    socket.pause();
    const peak = async () => {
      const status = await readFile(`/proc/${daemon.pid}/status`, 'utf8');
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
    };
    // The reader takes everything in the end; the most that was ever held is then known.
    await once(socket, 'readable');
    const data = await readAll(socket);
    expect(data.length).toBe(256 * poured.length);
    expect(await peak()).toBeLessThan(160);
  });
});
