import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { portBlock } from '@plat/environments';
import { type ForwardRecord, LOG_BYTES_MAX } from '@plat/forwards';
import { identify } from '@plat/local';
import { ForwardingApi } from '@plat/testing';
import { clusterPrograms } from '../black-box/cluster-programs';
import { signedInMachine } from '../black-box/signed-in';
import type { ListedForward } from './forward-list';
import type { Channels } from './open-forwards';

const CONTEXT = 'test-cluster';
const SERVICES = 'service/acme-mcp\nservice/acme-ssh\nservice/acme-api\n';
const DEPLOYMENT = JSON.stringify({
  metadata: { generation: 1 },
  spec: { replicas: 1 },
  status: { observedGeneration: 1, availableReplicas: 1 },
});

const cleanUps: Array<() => unknown> = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function portOf(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  cleanUps.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** Start of a block whose three ports are free now. */
async function freeBlock(): Promise<number> {
  for (let start = 20_000 + (process.pid % 200) * 100; ; start += 100) {
    const { mcp, sshd, api } = portBlock(start);
    const states = await Promise.all([mcp, sshd, api].map(isFree));
    if (states.every(Boolean)) return start;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.listen(port, '127.0.0.1');
  const free = await listening;
  server.close();
  return free;
}

/** The servers of a pod: MCP answers 406, the API is healthy, SSH sends its banner. */
async function podServers() {
  const mcp = createHttpServer((_request, response) => response.writeHead(406).end());
  const api = createHttpServer((_request, response) => response.writeHead(200).end());
  const ssh = createServer((socket) => void socket.on('error', () => undefined).write('SSH-2.0-test\r\n'));
  return { mcp: await portOf(mcp), sshd: await portOf(ssh), api: await portOf(api) };
}

async function setUp() {
  const { machine, dispose } = await signedInMachine();
  cleanUps.push(dispose);
  const start = await freeBlock();
  const ports = portBlock(start);
  const api = await ForwardingApi.start();
  cleanUps.push(() => api.stop());
  const servers = await podServers();
  api.addService('acme-dev', 'acme-mcp', { port: ports.mcp, pod: servers.mcp });
  api.addService('acme-dev', 'acme-ssh', { port: ports.sshd, pod: servers.sshd });
  api.addService('acme-dev', 'acme-api', { port: ports.api, pod: servers.api });
  const programs = await clusterPrograms(machine.home);
  const view = JSON.stringify({ 'current-context': CONTEXT, contexts: [{ name: CONTEXT }] });
  await programs.answer([
    { when: /config view/, stdout: view },
    { when: /get deployment/, stdout: DEPLOYMENT },
    { when: /get services/, stdout: SERVICES },
  ]);
  const config = join(machine.configFolder, 'acme', 'dev', 'config.yaml');
  await mkdir(dirname(config), { recursive: true });
  await writeFile(config, `type: runtime\nkubernetesContext: ${CONTEXT}\nlocalPortRangeStart: ${start}\n`);
  const env = { PATH: programs.path, KUBECONFIG: api.kubeconfig };
  const plat = (...args: string[]) => machine.plat([...args, '--json'], { env });
  const open = async () =>
    (await plat('open', 'acme', 'dev')).json<{ channels: Required<Channels> }>().channels;
  const path = (channel: string, end = 'json') =>
    join(machine.configFolder, 'portforward', channel, 'acme', `dev.${end}`);
  const record = async (channel: string) =>
    JSON.parse(await readFile(path(channel), 'utf8')) as ForwardRecord;
  cleanUps.push(() => plat('forwards', 'stop', 'acme', 'dev'));
  return { machine, api, ports, plat, open, path, record };
}

const outcomes = ({ mcp, sshd, api }: Required<Channels>) => [mcp.outcome, sshd.outcome, api.outcome];

/** A process that listens on a port. */
async function holder({ argv0 = 'node', args, cwd }: HolderOptions): Promise<ChildProcess> {
  const child = spawn(process.execPath, args, { argv0, cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  cleanUps.push(() => child.kill('SIGKILL'));
  await once(child.stdout!, 'data');
  return child;
}

interface HolderOptions {
  argv0?: string;
  args: string[];
  cwd?: string;
}

const listener = (port: number, answer: string) =>
  `require('net').createServer((s) => s.on('error', () => 0).write(${JSON.stringify(answer)}))
    .listen(${port}, '127.0.0.1', () => console.log('listening'))`;

/** A process with the argv of kubectl: node runs the file named `port-forward`. */
async function kubectlForward(
  folder: string,
  port: number,
  answer = 'SSH-2.0-kubectl\r\n',
): Promise<ChildProcess> {
  await writeFile(join(folder, 'port-forward'), listener(port, answer));
  const args = ['port-forward', 'svc/acme-ssh', `${port}:${port}`, '-n', 'acme-dev'];
  return holder({ argv0: 'kubectl', args, cwd: folder });
}

async function banner(port: number): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port });
  const [chunk] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  return chunk.toString();
}

describe('Port-forward reconciliation on plat open', () => {
  it('starts one detached forward a channel and records it', async () => {
    const { open, ports, record, path, machine } = await setUp();
    const channels = await open();
    expect(outcomes(channels)).toEqual(['started', 'started', 'started']);
    expect(await banner(ports.sshd)).toBe('SSH-2.0-test\r\n');
    expect(await record('sshd')).toEqual({
      tenant: 'acme',
      environment: 'dev',
      kubernetesContext: CONTEXT,
      namespace: 'acme-dev',
      localPort: ports.sshd,
      logPath: path('sshd', 'log'),
      processId: channels.sshd.processId,
    });
    expect((await stat(path('sshd'))).mode & 0o777).toBe(0o600);
    expect(machine.configFolder).toContain('.config');
  });

  it('rule 1: reuses a forward whose identity matches and whose local end answers', async () => {
    const { open } = await setUp();
    const first = await open();
    const second = await open();
    expect(outcomes(second)).toEqual(['reused', 'reused', 'reused']);
    expect(second.mcp.processId).toBe(first.mcp.processId);
  });

  it('rule 2: stops the recorded process if it has the port and does not answer, and starts another', async () => {
    const { open } = await setUp();
    const first = await open();
    process.kill(first.sshd.processId!, 'SIGSTOP');
    const second = await open();
    expect(outcomes(second)).toEqual(['reused', 'started', 'reused']);
    expect(second.sshd.processId).not.toBe(first.sshd.processId);
  });

  it('rule 3: adopts a port-forward whose argv matches, and rewrites the state file with its process', async () => {
    const { open, ports, record, machine } = await setUp();
    const kubectl = await kubectlForward(machine.home, ports.sshd);
    expect((await open()).sshd).toMatchObject({ outcome: 'adopted', processId: kubectl.pid });
    expect(await record('sshd')).toMatchObject({ processId: kubectl.pid });
    expect((await open()).sshd.outcome).toBe('reused');
  });

  it('rule 3: a port-forward whose argv matches and that does not answer is stopped, and another is started', async () => {
    const { open, ports, machine } = await setUp();
    const kubectl = await kubectlForward(machine.home, ports.sshd, '');
    const ended = once(kubectl, 'exit');
    expect((await open()).sshd.outcome).toBe('started');
    expect(await ended).toEqual([null, 'SIGTERM']);
  });

  it('rule 3: adopts the daemon of a lost record', async () => {
    const { open, path, record } = await setUp();
    const first = await open();
    await writeFile(path('sshd'), 'damaged');
    const second = await open();
    expect(outcomes(second)).toEqual(['reused', 'adopted', 'reused']);
    expect(await record('sshd')).toMatchObject({ processId: first.sshd.processId });
  });

  it('rule 3: any other holder fails the channel with its name, and the others are made', async () => {
    const { plat, ports } = await setUp();
    const other = await holder({ args: ['-e', listener(ports.mcp, '')] });
    const opened = await plat('open', 'acme', 'dev');
    expect(opened.code).toBe(0);
    const { channels } = opened.json<{ channels: Required<Channels> }>();
    expect(outcomes(channels)).toEqual(['failed', 'started', 'started']);
    expect(channels.mcp.message).toMatch(
      new RegExp(`^local MCP port ${ports.mcp} is already in use by process ${other.pid} \\(`),
    );
    expect(opened.stderr).toContain(`Warning: local MCP port ${ports.mcp} is already in use by`);
    expect(other.exitCode).toBeNull();
  });

  it('rule 4: starts a forward that was killed, and its log goes on', async () => {
    const { open, path } = await setUp();
    const first = await open();
    process.kill(first.api.processId!, 'SIGKILL');
    const second = await open();
    expect(outcomes(second)).toEqual(['reused', 'reused', 'started']);
    const log = await readFile(path('api', 'log'), 'utf8');
    expect(log.match(/ listening port=/g)).toHaveLength(2);
  });

  it('rule 5: the file stays when the process of a forward ends', async () => {
    const { open, plat, record } = await setUp();
    const { mcp } = await open();
    expect((await plat('forwards', 'stop', 'acme', 'dev', '--channel', 'mcp')).code).toBe(0);
    expect(await record('mcp')).toMatchObject({ processId: mcp.processId });
  });

  it('two at once make one forward a channel', async () => {
    const { open } = await setUp();
    const [one, other] = await Promise.all([open(), open()]);
    expect(one.sshd.processId).toBe(other.sshd.processId);
    expect([one.sshd.outcome, other.sshd.outcome].sort()).toEqual(['reused', 'started']);
  });

  it('with --dry-run says what it would do to each channel, and moves and writes nothing', async () => {
    const { plat, open, machine } = await setUp();
    await mkdir(join(machine.home, '.cache', 'plat', 'mcp', 'acme'), { recursive: true });
    const old = join(machine.home, '.cache', 'plat', 'mcp', 'acme', 'dev.json');
    await writeFile(old, '{}');
    const dry = await plat('open', 'acme', 'dev', '--dry-run');
    const { plan } = dry.json<{ plan: string[] }>();
    expect(plan.filter((line) => /^(MCP|SSH|API): node /.test(line))).toHaveLength(3);
    expect(existsSync(join(machine.configFolder, 'portforward'))).toBe(false);
    expect(existsSync(old)).toBe(true);
    await open();
    expect((await plat('open', 'acme', 'dev', '--dry-run')).json<{ plan: string[] }>().plan).toEqual(
      expect.arrayContaining([expect.stringMatching(/^SSH: reuse 127\.0\.0\.1:/)]),
    );
  });
});

describe('Port-forward state file', () => {
  it('rule 1: a legacy field makes the forward stale, and it is started again', async () => {
    const { open, path, record } = await setUp();
    const first = await open();
    await writeFile(
      path('sshd'),
      JSON.stringify({ ...(await record('sshd')), forwardPort: 1, proxyProcessId: 2 }),
    );
    const second = await open();
    expect(['adopted', 'started']).toContain(second.sshd.outcome);
    expect(Object.keys(await record('sshd'))).not.toContain('forwardPort');
    expect(first.sshd.localPort).toBe(second.sshd.localPort);
  });

  it.each([
    ['processId of 1', { processId: 1 }],
    ['processId of 0', { processId: 0 }],
    ['negative processId', { processId: -1 }],
    ['huge processId', { processId: 2 ** 40 }],
    ['processId as a text', { processId: '1' }],
    ['port of 0', { localPort: 0 }],
    ['port of 70000', { localPort: 70_000 }],
    ["another tenant's names", { tenant: 'globex', namespace: 'globex-dev' }],
    ['names with ..', { tenant: '../..', environment: '..' }],
  ])('with a %s signals nothing, and the next open mends it', async (_case, change) => {
    const { open, path, record } = await setUp();
    await open();
    await writeFile(path('sshd'), JSON.stringify({ ...(await record('sshd')), ...change }));
    expect(['reused', 'adopted']).toContain((await open()).sshd.outcome);
    expect((await open()).sshd.outcome).toBe('reused');
  });

  it('that is a link is replaced and what it names stays as it is', async () => {
    const { open, path, machine } = await setUp();
    const outside = join(machine.home, 'outside');
    await writeFile(outside, 'mine');
    await mkdir(dirname(path('sshd')), { recursive: true });
    await symlink(outside, path('sshd'));
    await symlink(outside, path('sshd', 'log'));
    expect((await open()).sshd.outcome).toBe('started');
    expect(await readFile(outside, 'utf8')).toBe('mine');
  });
});

describe('Log retention and cleanup', () => {
  it('rule 2: the cap is applied again when open finds a live forward', async () => {
    const { open, path } = await setUp();
    await open();
    await writeFile(path('sshd', 'log'), Buffer.alloc(LOG_BYTES_MAX + 1, 'x'));
    expect((await open()).sshd.outcome).toBe('reused');
    expect((await stat(path('sshd', 'log.1'))).size).toBe(LOG_BYTES_MAX + 1);
  });

  it('rule 4: open removes the records of environments that the configuration does not have', async () => {
    const { open, path } = await setUp();
    const gone = path('mcp').replace('dev.json', 'gone.json');
    await mkdir(dirname(gone), { recursive: true });
    await writeFile(gone, '{}');
    await open();
    expect(existsSync(gone)).toBe(false);
  });
});

describe('plat forwards', () => {
  const listed = async (plat: (...args: string[]) => Promise<{ json<T>(): T }>) =>
    (await plat('forwards', 'list')).json<{ forwards: ListedForward[] }>().forwards;

  it('lists each forward with its state, last success, port, process and age', async () => {
    const { open, plat, ports } = await setUp();
    const { sshd } = await open();
    const found = (await listed(plat)).find(({ channel }) => channel === 'sshd');
    expect(found).toMatchObject({
      tenant: 'acme',
      environment: 'dev',
      state: 'alive',
      localPort: ports.sshd,
      processId: sshd.processId,
      lastSuccess: { at: expect.stringMatching(/^20/) },
      since: expect.stringMatching(/^20/),
    });
  });

  it('names a forward that does not answer, with its last error, and doctor does so as well', async () => {
    const { open, plat, api } = await setUp();
    await open();
    api.pods.clear();
    const found = (await listed(plat)).find(({ channel }) => channel === 'sshd');
    expect(found).toMatchObject({
      state: 'silent',
      lastError: { message: expect.stringContaining('No pod') },
    });
    const doctor = (await plat('doctor')).stdout;
    expect(doctor).toContain('Forwards of acme-dev are not what their records say');
  });

  it('stop ends the processes, and the list says so', async () => {
    const { open, plat } = await setUp();
    await open();
    expect(
      (await plat('forwards', 'stop', 'acme', 'dev', '--dry-run')).json<{ plan: string[] }>().plan,
    ).toHaveLength(3);
    expect((await plat('forwards', 'stop', 'acme', 'dev')).code).toBe(0);
    expect((await listed(plat)).map(({ state }) => state)).toEqual(['ended', 'ended', 'ended']);
  });

  it('plat delete ends the forwards and removes their records and logs', async () => {
    const { open, plat, machine } = await setUp();
    const { sshd } = await open();
    const deleted = await plat('delete', 'acme', 'dev', '--yes');
    expect(deleted.json()).toMatchObject({ namespace: 'acme-dev' });
    expect(existsSync(join(machine.configFolder, 'portforward', 'sshd', 'acme'))).toBe(false);
    expect(await identify(sshd.processId!)).toBeUndefined();
  });
});
