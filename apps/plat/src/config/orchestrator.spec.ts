import { mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Machine } from '../black-box/plat-process';

let machine: Machine;
beforeEach(async () => (machine = await Machine.create()));
afterEach(() => machine.remove());

const POD = { PLAT_TENANT: 'acme', PLAT_ENVIRONMENT: 'dev' };
const NIGHT = { PLAT_ORCHESTRATOR_ID: 'night-shift' };
const holder = async (env: Record<string, string>) =>
  (await machine.plat(['activity', 'lease', 'take', '--json'], { env: { ...POD, ...env } })).json().holder;

async function configure(text: string): Promise<void> {
  await mkdir(machine.configFolder, { recursive: true });
  await writeFile(join(machine.configFolder, 'config.yaml'), text);
}

describe('the orchestrator of a session. Spec: Client, PLAT_ORCHESTRATOR_ID', () => {
  it('holds the leases that its session takes; in a transient session the person does', async () => {
    expect(await holder(NIGHT)).toBe('orchestrator night-shift');
    expect(await holder({})).toBe(userInfo().username);
    expect(await holder({ PLAT_ORCHESTRATOR_ID: '' })).toBe(userInfo().username);
  });

  it('has the environments that the list orchestrators of the configuration gives it', async () => {
    await configure('orchestrators:\n  - id: night-shift\n    environments: [acme-dev, acme-test]\n');
    const list = async (env: Record<string, string>) =>
      (await machine.plat(['list', '--json'], { env })).json().orchestrator;
    expect(await list(NIGHT)).toEqual({ id: 'night-shift', environments: ['acme-dev', 'acme-test'] });
    expect(await list({ PLAT_ORCHESTRATOR_ID: 'other' })).toEqual({ id: 'other', environments: [] });
    expect(await list({})).toBeUndefined();
  });

  it('is refused by the check of the configuration if two have one id, or an environment is none', async () => {
    const faults = async () => (await machine.plat(['config', 'check'])).stdout;
    await configure('orchestrators:\n  - id: a\n  - id: a\n');
    expect(await faults()).toContain('orchestrators');
    await configure('orchestrators:\n  - id: a\n    environments: [dev]\n');
    expect(await faults()).toContain('orchestrators[0].environments[0] "dev" is no <tenant>-<env>');
  });
});
