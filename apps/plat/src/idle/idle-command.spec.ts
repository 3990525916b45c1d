import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clusterPrograms, type ToolScript } from '../black-box/cluster-programs';
import { ended, Machine, said } from '../black-box/plat-process';
import type { IdleStatus } from './idle-status';

const OWN = {
  PLAT_TENANT: 'acme',
  PLAT_ENVIRONMENT: 'dev',
  PLAT_KUBERNETES_CONTEXT: 'in-cluster',
  PLAT_CLOUD_ENVIRONMENT: 'cloud',
};

describe('plat idle, Rule H15,', () => {
  const machines: Machine[] = [];
  afterEach(() => Promise.all(machines.splice(0).map((machine) => machine.remove())));
  async function newMachine() {
    const machine = await Machine.create();
    machines.push(machine);
    return machine;
  }

  it('shows the policy of the variables, each marker with its reason, and the holders of leases', async () => {
    const machine = await newMachine();
    const env = { ...OWN, PLAT_IDLE_TIMEOUT: '2h', PLAT_IDLE_TIMEZONE: 'Europe/Berlin' };
    await machine.plat(['activity', 'lease', 'take', '--ttl', '1h', '--holder', 'ci'], { env });
    const run = await machine.plat(['idle', '--json'], { env });
    expect(run.stderr).toContain('plat idle watch does not run here');
    const status = run.json<IdleStatus>();
    expect(status).toMatchObject({
      policy: { timeout: '2h', timezone: 'Europe/Berlin', trafficBytes: 65_536, cloudEnvironment: 'cloud' },
      stopEligible: false,
      leases: ['ci'],
    });
    expect(status.markers.map(({ name }) => name)).toEqual(['terminal', 'lease', 'job', 'traffic']);
    expect(status.markers[1]).toEqual({ name: 'lease', idle: false, reason: 'a lease is held by ci' });
  });

  it('an environment of no managed cloud does not stop, and the reason says so', async () => {
    const machine = await newMachine();
    const env = { ...OWN, PLAT_CLOUD_ENVIRONMENT: '', PLAT_IDLE_PROBE: '' };
    const { stdout, stderr } = await machine.plat(['idle'], { env });
    expect(stderr).toMatch(
      /The environment does not stop: only an environment of a managed cloud stops itself\.\n$/,
    );
    expect(stdout).toMatch(/^terminal\t/m);
  });

  it('watch records what happens, and plat idle judges by it', async () => {
    const machine = await newMachine();
    const env = { ...OWN, PLAT_CLOUD_ENVIRONMENT: '' };
    const child = await machine.start(['idle', 'watch'], { env });
    const record = join(machine.home, '.plat', 'acme', 'dev', 'idle.json');
    await said(child, /Watching for 5m without use/);
    while ((await readFile(record, 'utf8').catch(() => '')) === '') await new Promise(setImmediate);
    const run = await machine.plat(['idle', '--json'], { env });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    child.kill('SIGTERM');
    expect((await ended(child)).code).toBe(0);
  });

  it('watch is refused where an environment could not stop itself', async () => {
    const run = await (await newMachine()).plat(['idle', 'watch'], { env: OWN });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('NOT_A_POD');
  });

  describe('of another environment', () => {
    const VIEW = JSON.stringify({ 'current-context': 'kind-one', contexts: [{ name: 'kind-one' }] });
    const ANSWER = { policy: {}, stopEligible: false, stopBlockedReason: 'x', markers: [], leases: [] };
    const deployed = (replicas: number): ToolScript => ({
      when: /get deployment/,
      stdout: JSON.stringify({ spec: { replicas } }),
    });

    async function setUp(...scripts: ToolScript[]) {
      const machine = await newMachine();
      const folder = join(machine.configFolder, 'acme', 'dev');
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'config.yaml'), 'type: runtime\nkubernetesContext: kind-one\n');
      const programs = await clusterPrograms(machine.home);
      await programs.answer([{ when: /config view/, stdout: VIEW }, ...scripts]);
      const run = (...names: string[]) =>
        machine.plat(['idle', ...names, '--json'], { env: { PATH: programs.path } });
      return { run, programs };
    }

    it('asks its pod, as a prober', async () => {
      const { run, programs } = await setUp(deployed(1), { when: /exec/, stdout: JSON.stringify(ANSWER) });
      expect((await run('acme', 'dev')).json()).toEqual(ANSWER);
      expect((await programs.calls()).at(-1)?.argv.join(' ')).toBe(
        'kubectl --context kind-one --namespace acme-dev exec deploy/acme-runtime -- env PLAT_IDLE_PROBE=true plat idle --json',
      );
    });

    it('of a wrong name is refused with what is configured and the nearest one', async () => {
      const { run } = await setUp(deployed(1));
      expect((await run('acme', 'dve')).json()).toMatchObject({
        code: 'NOT_CONFIGURED',
        message: expect.stringContaining('Configured: acme dev'),
        details: { next: expect.stringMatching(/^repeat the command with acme dev;/) },
      });
    });

    it('that is stopped names the command that starts it', async () => {
      const { run } = await setUp(deployed(0));
      expect((await run('acme', 'dev')).json()).toMatchObject({ code: 'ENVIRONMENT_STOPPED' });
    });

    it('whose pod answers something else is refused, not shown as idle', async () => {
      const { run } = await setUp(deployed(1), { when: /exec/, stdout: '{}' });
      expect(await run('acme', 'dev')).toMatchObject({ code: 1 });
      expect((await run('acme', 'dev')).json()).toMatchObject({ code: 'IDLE_UNREADABLE' });
    });

    it.each([
      [['acme'], 'NO_DEFAULT_TENANT'],
      [['acme', 'prod'], 'NOT_CONFIGURED'],
      [['acme', '../x'], 'INVALID_NAME'],
      [['acme', 'dev'], 'KUBECTL_FAILED'],
      [[], 'NO_ENVIRONMENT_NAMED'],
    ])('%j is refused with %s', async (names, code) => {
      const { run } = await setUp(deployed(1), { when: /exec/, code: 1, stderr: 'error: no pods' });
      const refused = await run(...names);
      expect(refused.code).toBe(1);
      expect(refused.json()).toMatchObject({ code });
    });
  });
});
