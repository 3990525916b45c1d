import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ended, Machine, PATH, said } from '../black-box/plat-process';
import type { IdleStatus } from './idle-status';

const OWN = {
  PLAT_TENANT: 'acme',
  PLAT_ENVIRONMENT: 'dev',
  PLAT_KUBERNETES_CONTEXT: 'in-cluster',
  PLAT_CLOUD_ENVIRONMENT: 'cloud',
};

describe('plat idle, Decision H15,', () => {
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

  it('of another environment asks its pod, as a prober', async () => {
    const machine = await newMachine();
    const folder = join(machine.configFolder, 'acme', 'dev');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'config.yaml'), 'type: runtime\nkubernetesContext: kind-one\n');
    const answer = { policy: {}, stopEligible: false, stopBlockedReason: 'x', markers: [], leases: [] };
    const bin = await kubectl(machine, `echo "$@" > ${machine.home}/argv; echo '${JSON.stringify(answer)}'`);
    const run = await machine.plat(['idle', 'acme', 'dev', '--json'], { env: { PATH: `${bin}:${PATH}` } });
    expect(run.json()).toEqual(answer);
    expect(await readFile(join(machine.home, 'argv'), 'utf8')).toBe(
      '--context kind-one --namespace acme-dev exec deploy/acme-runtime -- env PLAT_IDLE_PROBE=true plat idle --json\n',
    );
  });

  it.each([
    [['acme'], 'USAGE'],
    [['acme', 'prod'], 'NO_SUCH_ENVIRONMENT'],
    [['acme', '../x'], 'INVALID_NAME'],
    [['acme', 'dev'], 'KUBECTL_FAILED: kubectl --namespace acme-dev exec'],
    [[], 'NO_ENVIRONMENT: This is no pod, and no environment is named.'],
  ])('%j is refused with %s', async (names, message) => {
    const machine = await newMachine();
    await mkdir(join(machine.configFolder, 'acme', 'dev'), { recursive: true });
    await writeFile(join(machine.configFolder, 'acme', 'dev', 'config.yaml'), 'type: runtime\n');
    const bin = await kubectl(machine, 'echo "error: no pods" >&2; exit 1');
    const run = await machine.plat(['idle', ...names], { env: { PATH: `${bin}:${PATH}` } });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain(message);
  });
});

/** Puts a program named kubectl on the machine. @returns its folder */
async function kubectl(machine: Machine, script: string): Promise<string> {
  const bin = join(machine.home, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'kubectl'), `#!/bin/sh\n${script}\n`);
  await chmod(join(bin, 'kubectl'), 0o755);
  return bin;
}
