import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { spawn } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import type { Lease } from './lease';

const env = { PLAT_TENANT: 'acme', PLAT_ENVIRONMENT: 'dev' };
const CLAIM = ['--exclusive', '--scope', 'environment'];

describe('the claim of an environment', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const plat = (...args: string[]) => machine.plat([...args, '--json'], { env });
    return { machine, plat, lease: (...args: string[]) => plat('activity', 'lease', ...args) };
  }

  it('is held by one at a time, whose name is shown without the id that would admit others', async () => {
    const { lease } = await setUp();
    const held = (await lease('take', ...CLAIM, '--holder', 'the night drive')).json<Lease>();
    const refused = await lease('take', ...CLAIM);
    expect(refused.code).toBe(1);
    expect(refused.json()).toMatchObject({
      code: 'CLAIMED',
      message: expect.stringContaining('the night drive'),
      details: { scope: 'environment', holder: 'the night drive', takenAt: held.takenAt },
    });
    expect(refused.stdout + refused.stderr).not.toContain(held.leaseId);
    expect((await lease('take')).code).toBe(0);
    expect((await lease('list')).json()).toHaveLength(2);
    await lease('release', held.leaseId);
    expect((await lease('take', ...CLAIM)).code).toBe(0);
  });

  it.each([
    ['environment', 'worktree'],
    ['worktree', 'environment'],
  ])('of %s keeps others from the %s as well, but not its holder', async (held, other) => {
    const { lease } = await setUp();
    const { leaseId } = (await lease('take', '--exclusive', '--scope', held)).json<Lease>();
    const take = ['take', '--exclusive', '--scope', other];
    expect((await lease(...take)).json()).toMatchObject({ code: 'CLAIMED', details: { scope: held } });
    expect((await lease(...take, '--under-lease', 'x')).json()).toMatchObject({ code: 'NO_SUCH_LEASE' });
    expect((await lease(...take, '--under-lease', leaseId)).json()).toMatchObject({
      scope: other,
      under: leaseId,
    });
    expect((await lease(...take, '--under-lease', leaseId)).json()).toMatchObject({ code: 'CLAIMED' });
  });

  it('is refused for a process that does not exist', async () => {
    const { lease } = await setUp();
    const gone = spawn('true');
    await once(gone, 'exit');
    const run = await lease('take', ...CLAIM, '--pid', String(gone.pid));
    expect({ exit: run.code, ...run.json() }).toMatchObject({ exit: 1, code: 'NO_SUCH_PROCESS' });
    expect((await lease('list')).json()).toEqual([]);
  });

  it('is reclaimed after its holder has ended', async () => {
    const { lease } = await setUp();
    const holder = spawn('sleep', ['60']);
    await once(holder, 'spawn');
    await lease('take', ...CLAIM, '--pid', String(holder.pid));
    expect((await lease('take', ...CLAIM)).json()).toMatchObject({ code: 'CLAIMED' });
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect((await lease('take', ...CLAIM)).code).toBe(0);
  });

  it('is reclaimed after it has expired, and cannot be renewed or released then', async () => {
    const { lease } = await setUp();
    const { leaseId } = (await lease('take', ...CLAIM, '--ttl', '1ms')).json<Lease>();
    for (const verb of ['renew', 'release']) {
      expect((await lease(verb, leaseId)).json()).toMatchObject({ code: 'NO_SUCH_LEASE' });
    }
    const next = (await lease('take', ...CLAIM)).json<Lease>();
    expect((await lease('renew', next.leaseId)).json()).toMatchObject({ leaseId: next.leaseId });
  });

  it('refuses to go on if its file cannot be read', async () => {
    const { machine, lease } = await setUp();
    await lease('take');
    const dateless = { leaseId: 'l', holder: 'h', takenAt: 'x', expiresAt: 'soon', ttlSeconds: 1 };
    for (const text of ['torn', 'null', '[]', '{}', JSON.stringify(dateless)]) {
      await writeFile(join(machine.home, '.plat/acme/dev/leases/environment.json'), text);
      expect((await lease('take', ...CLAIM)).json()).toMatchObject({ code: 'LEASE_UNREADABLE' });
    }
  });

  it.each(['0s', '13h'])('is refused for %s: it lasts more than 0 s and at most 12 h', async (ttl) => {
    const { lease } = await setUp();
    expect((await lease('take', ...CLAIM, '--ttl', ttl)).json()).toMatchObject({ code: 'LEASE_TOO_LONG' });
    expect((await lease('list')).json()).toEqual([]);
  });

  it('does not exist outside an environment', async () => {
    const { machine } = await setUp();
    const run = await machine.plat(['activity', 'lease', 'take', ...CLAIM, '--json']);
    expect(run.json()).toMatchObject({ code: 'NO_ENVIRONMENT' });
    const odd = { ...env, PLAT_TENANT: '../..' };
    expect((await machine.plat(['activity', 'lease', 'list', '--json'], { env: odd })).json()).toMatchObject({
      code: 'INVALID_VARIABLES',
    });
  });

  it.each([['environment'], ['worktree']])(
    'gate-merge refuses while another holder has the %s scope; --under-lease admits the holder',
    async (scope) => {
      const { machine, lease } = await setUp();
      const checkout = await GateCheckout.create(machine);
      await checkout.branch('s', { 'a.txt': 'a\n' });
      const gate = (...more: string[]) =>
        machine.plat(['exec', 'gate-merge', '--messages-on-stdin', '--source=s', '--json', ...more], {
          cwd: checkout.folder,
          input: 'Add a',
          env,
        });
      const { leaseId } = (await lease('take', '--exclusive', '--scope', scope)).json<Lease>();
      const before = await checkout.everything();
      expect((await gate()).json()).toMatchObject({ code: 'CLAIMED' });
      expect((await gate('--dry-run')).json()).toMatchObject({ code: 'CLAIMED' });
      expect(await checkout.everything()).toBe(before);
      expect((await gate('--under-lease', leaseId)).code).toBe(0);
      const other = scope === 'environment' ? 'worktree' : 'environment';
      const under = ['--exclusive', '--scope', other, '--under-lease', leaseId];
      const { leaseId: second } = (await lease('take', ...under)).json<Lease>();
      for (const id of [leaseId, second]) expect((await gate('--under-lease', id)).code).toBe(0);
      await lease('release', second);
      await lease('release', leaseId);
      expect((await gate('--under-lease', leaseId)).json()).toMatchObject({ code: 'NO_SUCH_LEASE' });
      expect((await gate()).code).toBe(0);
    },
  );

  it('refuses every exec job start in that environment, and in no other', async () => {
    const { machine, plat, lease } = await setUp();
    await lease('take', ...CLAIM);
    const start = ['exec', 'job', 'start', '--json', '--', 'true'];
    expect((await machine.plat(start, { env })).json()).toMatchObject({ code: 'CLAIMED' });
    expect((await plat('exec', 'job', 'list')).json()).toEqual([]);
    expect((await machine.plat(start, { env: { ...env, PLAT_ENVIRONMENT: 'test' } })).code).toBe(0);
  });
});
