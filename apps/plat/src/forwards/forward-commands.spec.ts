import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { CHANNELS } from '@plat/forwards';
import { ForwardStand, runs } from '../black-box/forward-stand';
import type { Finding } from '../doctor/examination';
import type { EnvironmentList } from '../environments/environment-list';
import type { ListedForward } from './listed-forward';
import type { StoppedForward } from './stop-forwards';

let stand: ForwardStand;
beforeEach(async () => (stand = await ForwardStand.create()));
afterEach(() => stand.dispose());

const listForwards = async () => (await stand.plat('forwards', 'list', '--json')).json<ListedForward[]>();
const states = async () =>
  Object.fromEntries((await listForwards()).map(({ channel, state }) => [channel, state]));
/** The states in `plat list`, which must be those of `plat forwards list`. */
const statesInList = async () => {
  const { environments } = (await stand.plat('list', '--json')).json<EnvironmentList>();
  const forwards = Object.entries(environments[0]?.forwards ?? {});
  return Object.fromEntries(forwards.map(([channel, { state }]) => [channel, state]));
};
const pidsOf = (all: ReadonlyArray<{ processId?: number | undefined }>) =>
  all.map(({ processId }) => processId);

describe('plat forwards list', () => {
  it('has state, port, process, age, last success and last error of each. Rule H10', async () => {
    await stand.withoutService('acme-api');
    await stand.open();
    const [mcp, sshd, api] = await listForwards();
    expect(mcp).toEqual({
      tenant: 'acme',
      environment: 'dev',
      channel: 'mcp',
      state: 'alive',
      localPort: stand.port('mcp'),
      processId: expect.any(Number),
      kubernetesContext: 'kind-one',
      recordedAt: expect.stringMatching(/^\d{4}-/),
      lastSuccess: { at: expect.stringMatching(/^\d{4}-/) },
      logPath: stand.path('mcp', 'log'),
    });
    expect(sshd?.state).toBe('alive');
    expect(api).toMatchObject({
      state: 'ended',
      lastError: { message: expect.stringContaining('has no Service acme-api') },
    });
    expect(await statesInList()).toEqual({ mcp: 'alive', sshd: 'alive', api: 'ended' });
    const text = (await stand.plat('forwards', 'list')).stdout.split('\n');
    expect(text[0]?.split('\t').slice(0, 5)).toEqual(['acme', 'dev', 'mcp', 'alive', String(mcp?.localPort)]);
  });

  it('distinguishes a port of another process, a reused process id, a silent forward and a file that is none', async () => {
    const record = (channel: 'mcp' | 'sshd' | 'api', processId?: number) =>
      stand.write(
        `portforward/${channel}/acme/dev.json`,
        JSON.stringify({
          tenant: 'acme',
          environment: 'dev',
          kubernetesContext: 'kind-one',
          namespace: 'acme-dev',
          localPort: stand.port(channel),
          processId,
        }),
      );
    const { pid } = await stand.bystander();
    await record('mcp', pid);
    await record('api', 2 ** 30);
    await stand.write('portforward/sshd/acme/dev.json', 'torn');
    expect(await states()).toEqual({ mcp: 'reused id', sshd: 'unreadable', api: 'ended' });
    // A file that is no record is none of its forwards.
    expect(await statesInList()).toEqual({ mcp: 'reused id', api: 'ended' });
    const server = createServer().listen(stand.port('mcp'), '127.0.0.1');
    await once(server, 'listening');
    await stand.kubectl('api', false);
    expect(await states()).toEqual({ mcp: 'foreign', sshd: 'unreadable', api: 'not answering' });
    expect(await statesInList()).toEqual({ mcp: 'foreign', api: 'not answering' });
    const doctor = (await stand.plat('doctor', '--json')).json<Finding[]>();
    const found = (check: string) => doctor.find((finding) => finding.check === check);
    expect(found('acme-dev mcp')).toMatchObject({
      result: 'failed',
      detail: expect.stringContaining(`local mcp port ${stand.port('mcp')} is already in use by`),
      next: 'end that process (plat forwards list has its whole name), then: plat open acme dev',
    });
    expect(found('acme-dev api')).toMatchObject({
      result: 'failed',
      detail: expect.stringContaining('not answering'),
      next: 'plat open acme dev',
    });
    await new Promise((closed) => server.close(closed));
  });

  it('without any says so', async () => {
    expect((await stand.plat('forwards', 'list')).stderr).toContain('There is no forward on this machine.');
  });
});

describe('plat forwards stop', () => {
  it('ends the forwards of the environment, or of one channel; the state files stay', async () => {
    await stand.open();
    const before = await listForwards();
    const dry = (await stand.plat('forwards', 'stop', 'acme', 'dev', '--dry-run', '--json')).json();
    expect(dry).toEqual({
      dryRun: true,
      plan: before.map(({ channel, processId }) => `forward ${channel}: process ${processId} is ended`),
    });
    const one = await stand.plat('forwards', 'stop', 'acme', 'dev', '--channel', 'sshd', '--json');
    expect(one.json()).toEqual({
      tenant: 'acme',
      environment: 'dev',
      forwards: [
        { channel: 'sshd', processId: before[1]?.processId, localPort: stand.port('sshd'), ended: true },
      ],
    });
    expect(await states()).toEqual({ mcp: 'alive', sshd: 'ended', api: 'alive' });
    const rest = await stand.plat('forwards', 'stop', 'acme', 'dev', '--json');
    expect(rest.json<{ forwards: StoppedForward[] }>().forwards).toHaveLength(2);
    expect(await Promise.all(pidsOf(before).map(runs))).toEqual([false, false, false]);
    expect(CHANNELS.every((channel) => existsSync(stand.path(channel)))).toBe(true);
    const again = await stand.plat('forwards', 'stop', 'acme', 'dev');
    expect([again.code, again.stdout]).toEqual([0, 'No forward of acme dev runs.\n']);
  });

  it('refuses a name of which there is neither an environment nor a record', async () => {
    const refused = await stand.plat('forwards', 'stop', 'acme', 'dve', '--json');
    expect(refused.json()).toMatchObject({
      code: 'NOT_CONFIGURED',
      message: expect.stringContaining('Known: acme dev.'),
      details: { next: 'repeat the command with acme dev' },
    });
    const far = await stand.plat('forwards', 'stop', 'globex', 'live', '--json');
    expect(far.json()).toMatchObject({ details: { next: 'plat forwards list', environments: ['acme dev'] } });
    await stand.write('portforward/mcp/acme/dve.json', '{}');
    expect((await stand.plat('forwards', 'stop', 'acme', 'dve')).code).toBe(0);
  });

  it('signals no process but a forward, whatever the record says. Rule G11', async () => {
    await stand.open();
    const { pid } = await stand.bystander();
    await writeFile(
      stand.path('mcp'),
      JSON.stringify({ ...(await stand.record('mcp')), processId: pid, localPort: stand.start + 1 }),
    );
    const record = await stand.record('mcp');
    await stand.plat('forwards', 'stop', 'acme', 'dev', '--channel', 'mcp');
    expect(await runs(pid)).toBe(true);
    // For the end of this case, which stops what is recorded.
    await writeFile(stand.path('mcp'), JSON.stringify({ ...record, localPort: stand.port('mcp') }));
  });
});

it('plat stop ends the forwards. Rule H11', async () => {
  await stand.open();
  const before = pidsOf(await listForwards());
  const stopped = await stand.plat('stop', 'acme', 'dev', '--json');
  expect(pidsOf(stopped.json<{ forwards: StoppedForward[] }>().forwards)).toEqual(before);
  expect(await Promise.all(before.map(runs))).toEqual([false, false, false]);
});

it('plat delete ends the forwards and removes state file, log and .1 of all three channels. Log retention, rule 3', async () => {
  await stand.open();
  await writeFile(`${stand.path('mcp', 'log')}.1`, '');
  const before = pidsOf(await listForwards());
  const plan = (await stand.plat('delete', 'acme', 'dev', '--dry-run', '--json')).json<{ plan: string[] }>();
  expect(plan.plan).toContain(`forward mcp: process ${before[0]} is ended`);
  const deleted = await stand.plat('delete', 'acme', 'dev', '--yes', '--json');
  expect(pidsOf(deleted.json<{ forwards: StoppedForward[] }>().forwards)).toEqual(before);
  expect(await Promise.all(before.map(runs))).toEqual([false, false, false]);
  const left = await readdir(join(stand.machine.configFolder, 'portforward'), { recursive: true });
  expect(left.filter((path) => path.includes('acme'))).toEqual([]);
});
