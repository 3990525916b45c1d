import { once } from 'node:events';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Channel, CHANNELS } from '@plat/forwards';
import { ForwardStand, runs } from '../black-box/forward-stand';
import type { OpenedChannel } from './reconcile-forward';

let stand: ForwardStand;
const begin = async (config?: string) => (stand = await ForwardStand.create(config));
afterEach(() => stand.dispose());

type Channels = Record<Channel, OpenedChannel>;

async function openChannels(...args: string[]): Promise<Channels> {
  const run = await stand.open(...args);
  expect([run.code, run.stderr]).toEqual([0, expect.any(String)]);
  return run.json<{ channels: Channels }>().channels;
}

const outcomes = (channels: Channels) => Object.values(channels).map(({ outcome }) => outcome);
const pids = (channels: Channels) => Object.values(channels).map(({ processId }) => processId);

/** The status of GET through a forward. */
async function status(port: number, path: string): Promise<number | undefined> {
  const request = get({ host: '127.0.0.1', port, path, agent: false });
  const [response] = (await once(request, 'response')) as [{ statusCode?: number; resume(): void }];
  response.resume();
  return response.statusCode;
}

/** Ends a process of the test's own forwards, and waits until the system has no such process. */
async function kill(pid: number | undefined): Promise<void> {
  process.kill(Number(pid), 'SIGKILL');
  while (await runs(pid));
}

describe('Port-forward reconciliation on `plat open`', () => {
  it('starts one detached forward for each channel and records it. Rules H8, H10', async () => {
    await begin();
    const run = await stand.open();
    expect(run.stderr).toBe('');
    expect(run.code).toBe(0);
    const result = run.json<{ channels: Channels }>();
    const expected = CHANNELS.map((channel) => [
      channel,
      {
        outcome: 'started',
        localPort: stand.port(channel),
        processId: expect.any(Number),
        logPath: stand.path(channel, 'log'),
      },
    ]);
    expect(result).toEqual({
      tenant: 'acme',
      environment: 'dev',
      namespace: 'acme-dev',
      kubernetesContext: 'kind-one',
      started: false,
      channels: Object.fromEntries(expected),
      mcp: {
        url: `http://127.0.0.1:${stand.port('mcp')}/mcp`,
        tokenPath: join(stand.machine.configFolder, 'acme', 'dev', 'mcp-token'),
      },
    });
    for (const channel of CHANNELS) {
      const { processId } = result.channels[channel];
      expect(await stand.record(channel)).toEqual({
        tenant: 'acme',
        environment: 'dev',
        kubernetesContext: 'kind-one',
        namespace: 'acme-dev',
        localPort: stand.port(channel),
        logPath: stand.path(channel, 'log'),
        processId,
      });
      expect((await stat(stand.path(channel))).mode & 0o777).toBe(0o600);
      expect(await runs(processId)).toBe(true);
    }
    expect(await status(stand.port('mcp'), '/mcp')).toBe(200);
  });

  it('1. reuses a forward whose identity matches and that passes its probe: no process is started', async () => {
    await begin();
    const first = await openChannels();
    const before = await Promise.all(CHANNELS.map((channel) => stat(stand.path(channel))));
    const second = await openChannels();
    expect(outcomes(second)).toEqual(['reused', 'reused', 'reused']);
    expect(pids(second)).toEqual(pids(first));
    const after = await Promise.all(CHANNELS.map((channel) => stat(stand.path(channel))));
    expect(after.map(({ ino }) => ino)).toEqual(before.map(({ ino }) => ino));
  });

  it('1. does not reuse a forward whose record has another identity: it is adopted, and the record corrected', async () => {
    await begin();
    const first = await openChannels();
    const record = await stand.record('sshd');
    await writeFile(stand.path('sshd'), JSON.stringify({ ...record, kubernetesContext: 'kind-two' }));
    const second = await openChannels();
    expect(outcomes(second)).toEqual(['reused', 'adopted', 'reused']);
    expect(pids(second)).toEqual(pids(first));
    expect(await stand.record('sshd')).toEqual(record);
  });

  it('two at once start each forward once', async () => {
    await begin();
    const [one, other] = await Promise.all([openChannels(), openChannels()]);
    expect(pids(one)).toEqual(pids(other));
    const both = CHANNELS.map((channel) => [one[channel].outcome, other[channel].outcome].sort());
    expect(both).toEqual(CHANNELS.map(() => ['reused', 'started']));
  });

  it('2. stops the recorded process that still has the port and does not answer', async () => {
    await begin();
    const child = await stand.kubectl('mcp', false);
    const { pid } = child;
    const ended = once(child, 'exit');
    const record = { ...(await makeRecord('mcp')), processId: pid };
    await stand.write('portforward/mcp/acme/dev.json', JSON.stringify(record));
    const { mcp } = await openChannels();
    expect(await ended).toEqual([null, 'SIGTERM']);
    expect(mcp).toMatchObject({ outcome: 'started' });
    expect(mcp.processId).not.toBe(pid);
  });

  it('3. adopts a port-forward whose argv matches, and writes its process id', async () => {
    await begin();
    const { pid } = await stand.kubectl('mcp', true);
    const { mcp } = await openChannels();
    expect(mcp).toMatchObject({ outcome: 'adopted', processId: pid });
    expect(await stand.record('mcp')).toMatchObject({ processId: pid });
    expect((await openChannels()).mcp).toMatchObject({ outcome: 'reused', processId: pid });
  });

  it('3. stops a matching holder that fails the probe, and starts another. Rule H9', async () => {
    await begin();
    const child = await stand.kubectl('api', false);
    const ended = once(child, 'exit');
    const { api } = await openChannels();
    expect([api.outcome, api.message]).toEqual(['started', undefined]);
    expect(await ended).toEqual([null, 'SIGTERM']);
  });

  it('3. replaces its own forward to the cluster of another context, which would lie', async () => {
    await begin();
    const first = await openChannels();
    await stand.configure('kind-two');
    const second = await openChannels();
    expect(outcomes(second)).toEqual(['started', 'started', 'started']);
    for (const pid of pids(first)) expect(await runs(pid)).toBe(false);
    expect(await stand.record('mcp')).toMatchObject({ kubernetesContext: 'kind-two' });
  });

  it('3. a kubectl to the cluster of another context is any other holder: it is not stopped', async () => {
    await begin();
    const { pid } = await stand.kubectl('mcp', true, 'kind-two');
    const { mcp } = await openChannels();
    const message = expect.stringContaining(`already in use by process ${pid} (`);
    expect(mcp).toMatchObject({ outcome: 'failed', message });
    expect(await runs(pid!)).toBe(true);
  });

  it('3. any other holder: the channel fails with the message, the others are opened, exit code 0', async () => {
    await begin();
    const server = createServer().listen(stand.port('mcp'), '127.0.0.1');
    await once(server, 'listening');
    const run = await stand.open();
    const { mcp, sshd, api } = run.json<{ channels: Channels }>().channels;
    const start = `local mcp port ${stand.port('mcp')} is already in use by process ${process.pid} (`;
    expect(mcp).toMatchObject({ outcome: 'failed', message: expect.stringContaining(start) });
    expect(run.stderr).toContain(`warning: forward mcp: ${start}`);
    expect(run.code).toBe(0);
    expect(outcomes({ mcp, sshd, api })).toEqual(['failed', 'started', 'started']);
    await new Promise((closed) => server.close(closed));
  });

  it('3. a holder that answers the probe is refused as well, although the record is the wanted one', async () => {
    await begin();
    await stand.write('portforward/mcp/acme/dev.json', JSON.stringify(await makeRecord('mcp')));
    const server = createHttpServer((_request, response) => response.end());
    await once(server.listen(stand.port('mcp'), '127.0.0.1'), 'listening');
    const { mcp } = await openChannels();
    const message = `local mcp port ${stand.port('mcp')} is already in use by process ${process.pid} (`;
    expect(mcp).toMatchObject({ outcome: 'failed', message: expect.stringContaining(message) });
    await new Promise((closed) => server.close(closed));
  });

  it('4. a forward that has died is started again; until then its file stays for diagnosis', async () => {
    await begin();
    const first = await openChannels();
    await kill(first.sshd.processId);
    expect(await stand.record('sshd')).toMatchObject({ processId: first.sshd.processId });
    const second = await openChannels();
    expect(outcomes(second)).toEqual(['reused', 'started', 'reused']);
    expect(await readFile(stand.path('sshd', 'log'), 'utf8')).toContain(`pid=${first.sshd.processId}`);
  });

  it('a recorded process id that another process has now is not signalled. Rule G11', async () => {
    await begin();
    const { pid } = await stand.bystander();
    const record = { ...(await makeRecord('mcp')), processId: pid };
    await stand.write('portforward/mcp/acme/dev.json', JSON.stringify(record));
    expect((await openChannels()).mcp).toMatchObject({ outcome: 'started' });
    expect(await runs(pid)).toBe(true);
  });

  it('4. ends the forward of a record with another port, which nothing names once the record is rewritten', async () => {
    await begin();
    const former = await stand.silentKubectl('mcp', stand.start + 1);
    const exit = once(former, 'exit');
    const record = { ...(await makeRecord('mcp')), localPort: stand.start + 1, processId: former.pid };
    await stand.write('portforward/mcp/acme/dev.json', JSON.stringify(record));
    const { plan } = (await stand.open('--dry-run')).json<{ plan: string[] }>();
    expect(plan[0]).toBe(`forward mcp: process ${former.pid} is stopped: the environment had another port`);
    expect((await openChannels()).mcp).toMatchObject({ outcome: 'started', localPort: stand.port('mcp') });
    expect(await exit).toEqual([null, 'SIGTERM']);
  });

  it('a record with a legacy field is stale: its forward is started again', async () => {
    await begin();
    const first = await openChannels();
    const record = { ...(await stand.record('sshd')), forwardPort: 2222 };
    await writeFile(stand.path('sshd'), JSON.stringify(record));
    const { sshd } = await openChannels();
    expect(sshd.outcome).toBe('started');
    expect(await runs(first.sshd.processId)).toBe(false);
    expect(await stand.record('sshd')).not.toHaveProperty('forwardPort');
  });

  it('a forward through which nothing answers yet stays, with the reason as a warning', async () => {
    await begin();
    const [service] = stand.cluster.services;
    const { port } = { ...service };
    Object.assign(service ?? {}, { port: 80 });
    const run = await stand.open();
    const { mcp } = run.json<{ channels: Channels }>().channels;
    const message = `does not answer yet: The Service acme-mcp has no port ${port}.`;
    expect(mcp).toMatchObject({ outcome: 'started', processId: expect.any(Number), message });
    expect(run.stderr).toBe(`warning: forward mcp: ${message}\n`);
    // Nothing has to be opened again for what the next connection finds.
    Object.assign(service ?? {}, { port });
    expect(await status(stand.port('mcp'), '/mcp')).toBe(200);
  });

  it('a Service that is not there fails its channel, and no process is left', async () => {
    await begin();
    await stand.withoutService('acme-api');
    const run = await stand.open();
    const { mcp, api } = run.json<{ channels: Channels }>().channels;
    expect(mcp.outcome).toBe('started');
    const message =
      'namespace acme-dev has no Service acme-api; the chart of an API of its own brings it, not plat deploy';
    expect(api).toMatchObject({ outcome: 'failed', message });
    // Many environments have none, so nothing is wrong.
    expect(run.stderr).toBe('');
    const text = await stand.plat('open', 'acme', 'dev', '--no-shell');
    expect(text.stdout).toContain('Forward mcp: ');
    expect([text.stdout.includes('Forward api'), text.stderr]).toEqual([false, '']);
    expect(api).not.toHaveProperty('processId');
    expect(await stand.record('api')).not.toHaveProperty('processId');
    const log = await readFile(stand.path('api', 'log'), 'utf8');
    expect(await runs(/ pid=(\d+)/.exec(log)?.[1])).toBe(false);
  });

  it('a Service of the runtime chart that is not there is a warning, with its remedy', async () => {
    await begin();
    await stand.withoutService('acme-ssh');
    const message = 'namespace acme-dev has no Service acme-ssh; plat deploy brings it';
    const run = await stand.open();
    expect(run.json<{ channels: Channels }>().channels.sshd).toMatchObject({ outcome: 'failed', message });
    expect(run.stderr).toBe(`warning: forward sshd: ${message}\n`);
  });

  it('has no channel to MCP if the pod does not serve it', async () => {
    await begin('mcpEnabled: false\n');
    expect(Object.keys(await openChannels())).toEqual(['sshd', 'api']);
  });

  it('of --dry-run is said for each channel; nothing is written, moved or started. Rules G2, G11', async () => {
    await begin();
    const old = join(stand.machine.home, '.cache', 'plat', 'mcp', 'acme', 'dev.json');
    await mkdir(join(old, '..'), { recursive: true });
    await writeFile(old, '{}');
    const before = (await readdir(stand.machine.home, { recursive: true })).sort();
    const { pid } = await stand.kubectl('api', true);
    const run = await stand.open('--dry-run');
    const { plan } = run.json<{ plan: string[] }>();
    expect(plan[0]).toBe(`forward mcp: ${old} is moved to ${stand.path('mcp')}`);
    expect(plan[1]).toContain(' forward --namespace acme-dev --service acme-mcp --ports ');
    expect(plan[2]).toContain(`--state ${stand.path('sshd')}`);
    expect(plan[3]).toBe(`forward api: process ${pid} is adopted`);
    const programs = /cluster-programs/;
    const after = (await readdir(stand.machine.home, { recursive: true })).sort();
    expect(after.filter((path) => !programs.test(path))).toEqual(
      before.filter((path) => !programs.test(path)),
    );
  });

  it('moves the record and the log of an earlier client out of the cache. Spec: Client, Versioning, rule 3', async () => {
    await begin();
    const folder = join(stand.machine.home, '.cache', 'plat', 'mcp', 'acme');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'dev.json'), JSON.stringify(await makeRecord('mcp')));
    await writeFile(join(folder, 'dev.log'), 'earlier\n');
    await openChannels();
    expect(await readFile(stand.path('mcp', 'log'), 'utf8')).toMatch(/^earlier\n/);
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  });
});

/** Returns the content of the record of a channel, without a process. */
async function makeRecord(channel: Channel): Promise<Record<string, unknown>> {
  return Promise.resolve({
    tenant: 'acme',
    environment: 'dev',
    kubernetesContext: 'kind-one',
    namespace: 'acme-dev',
    localPort: stand.port(channel),
    logPath: stand.path(channel, 'log'),
  });
}
