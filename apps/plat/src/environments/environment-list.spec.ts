import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { clusterPrograms, type ToolScript } from '../black-box/cluster-programs';
import { Machine } from '../black-box/plat-process';
import type { EnvironmentList } from './environment-list';

let machine: Machine;
beforeEach(async () => (machine = await Machine.create()));
afterEach(() => machine.remove());

/** Writes files below the client's configuration. */
async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(machine.configFolder, path)), { recursive: true });
    await writeFile(join(machine.configFolder, path), text);
  }
}

const list = async (options: { cwd?: string; env?: Record<string, string> } = {}) =>
  (await machine.plat(['list', '--json'], options)).json<EnvironmentList>();
const inUse = ({ environments }: EnvironmentList) =>
  environments.filter(({ isEffective }) => isEffective).map(({ environment }) => environment);

describe('plat list', () => {
  it('is one object: the defaults, and each environment with context, type, ports and forwards. Rule H11', async () => {
    const forward = {
      tenant: 'acme',
      environment: 'dev',
      kubernetesContext: 'kind',
      namespace: 'acme-dev',
      localPort: 17_100,
    };
    await write({
      'config.yaml': 'defaultTenant: acme\n',
      'acme/config.yaml': 'defaultEnvironment: dev\n',
      'acme/dev/config.yaml': 'type: runtime\nkubernetesContext: kind\nlocalPortRangeStart: 17100\n',
      'globex/test/config.yaml': 'type: local-agent\nstopped: true\n',
      'portforward/mcp/acme/dev.json': JSON.stringify(forward),
      'portforward/api/acme/dev.json': 'torn',
    });
    const run = await machine.plat(['list', '--json']);
    expect(run.code).toBe(0);
    expect(run.json()).toEqual({
      configFolder: machine.configFolder,
      defaultTenant: 'acme',
      defaultEnvironment: 'dev',
      effective: { tenant: 'acme', environment: 'dev' },
      environments: [
        {
          tenant: 'acme',
          environment: 'dev',
          namespace: 'acme-dev',
          type: 'runtime',
          kubernetesContext: 'kind',
          ports: { start: 17_100, end: 17_199, mcp: 17_100, sshd: 17_122, api: 17_133 },
          isDefault: true,
          isEffective: true,
          isStopped: false,
          forwards: { mcp: { ...forward, state: 'ended' } },
          faults: [],
        },
        {
          tenant: 'globex',
          environment: 'test',
          namespace: 'globex-test',
          type: 'local-agent',
          isDefault: false,
          isEffective: false,
          isStopped: true,
          forwards: {},
          faults: [],
        },
      ],
    });
    const text = (await machine.plat(['list'])).stdout;
    expect(text.split('\n')[0]).toBe(
      'acme\tdev\truntime\tkind\t17100-17199\tmcp 17100 (ended)\tin use here, default\t',
    );
  });

  describe('of an environment of a managed cloud', () => {
    const VIEW = JSON.stringify({ 'current-context': 'kind', contexts: [{ name: 'kind' }] });
    const STOP = { at: '2026-11-22T12:00:00.000Z', reason: 'Idle for at least 5m.' };
    const annotations = { 'plat.dev/last-stop-at': STOP.at, 'plat.dev/last-stop-reason': STOP.reason };
    const cloud = '{ alias: work, provider: cloud-a }';

    async function listWith(script: Omit<ToolScript, 'when'>) {
      await write({ 'config.yaml': '', 'acme/dev/config.yaml': `type: runtime\ncloud: ${cloud}\n` });
      const programs = await clusterPrograms(machine.home);
      await programs.answer([
        { when: /config view/, stdout: VIEW },
        { when: /get deployment/, ...script },
      ]);
      const run = await machine.plat(['list', '--json'], { env: { PATH: programs.path } });
      return { code: run.code, ...run.json<EnvironmentList>().environments[0]! };
    }

    it('has the reason of its last stop, which the pod left on the Deployment. Rule H15', async () => {
      const stdout = JSON.stringify({ metadata: { annotations }, spec: { replicas: 0 } });
      expect(await listWith({ stdout })).toMatchObject({ code: 0, isStopped: true, lastStop: STOP });
    });

    it('has the reason also after it was started again', async () => {
      const stdout = JSON.stringify({ metadata: { annotations }, spec: { replicas: 1 } });
      expect(await listWith({ stdout })).toMatchObject({ code: 0, isStopped: false, lastStop: STOP });
    });

    it('is listed also if its cluster does not answer, and says so', async () => {
      const stderr = 'Unable to connect to the server: dial tcp 127.0.0.1:1: connection refused';
      const one = await listWith({ code: 1, stderr });
      expect(one).toMatchObject({ code: 0, isStopped: false, faults: [] });
      expect(one.clusterFault).toContain('connection refused');
    });
  });

  it('marks the environment whose checkout the working folder is in, also through a symbolic link', async () => {
    const [checkout, link] = [join(machine.home, 'shop', 'src'), join(machine.home, 'link')];
    await mkdir(checkout, { recursive: true });
    await symlink(join(machine.home, 'shop'), link);
    await write({
      'acme/dev/config.yaml': `type: runtime\nlocalRepoPath: ${link}\n`,
      'acme/test/config.yaml': 'type: runtime\n',
    });
    expect(inUse(await list({ cwd: checkout }))).toEqual(['dev']);
    expect(inUse(await list())).toEqual([]);
    const pod = { PLAT_TENANT: 'acme', PLAT_ENVIRONMENT: 'test' };
    expect(inUse(await list({ cwd: checkout, env: pod }))).toEqual(['test']);
  });

  it('lists an environment with a fault, both of those whose ports overlap, and exits with 1', async () => {
    await write({
      'acme/dev/config.yaml': 'type: runtime\nlocalPortRangeStart: 17000\n',
      'acme/tabs/config.yaml': 'type: runtime\nidle:\n\ttimeout: 5m\n',
      'acme/test/config.yaml': 'type: runtime\nlocalPortRangeStart: 17050\n',
    });
    const run = await machine.plat(['list', '--json']);
    expect(run.code).toBe(1);
    const faults = run.json<EnvironmentList>().environments.map((one) => one.faults.join());
    expect(faults).toEqual([
      expect.stringMatching(/acme\/dev\/config\.yaml:2: .*overlaps the block of acme-test/),
      expect.stringMatching(/acme\/tabs\/config\.yaml:\d: /),
      expect.stringMatching(/acme\/test\/config\.yaml:2: .*overlaps the block of acme-dev/),
    ]);
  });

  it('without an environment names the command that creates one', async () => {
    const run = await machine.plat(['list']);
    expect(run).toMatchObject({ code: 0, stdout: '' });
    expect(run.stderr).toBe('No environment is configured. Next: plat init <tenant> <env>\n');
  });
});
