import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import { signedInMachine } from '../black-box/signed-in';
import type { Finding } from './examination';

describe('plat doctor', () => {
  it('reports no fault on a machine that can reach its platform', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    platform.answer('GET /v1/whoami', { body: { username: 'alice', roles: [] } });
    const run = await machine.plat(['doctor', '--json']);
    expect(run.code).toBe(0);
    const results = run.json<Finding[]>().map(({ check, result }) => [check, result]);
    expect(results.at(-1)).toEqual(['checkout', 'skipped']);
    expect(results.slice(0, -1).every(([, result]) => result === 'ok')).toBe(true);
    const { folder } = await GateCheckout.create(machine);
    const inside = (await machine.plat(['doctor', '--json'], { cwd: folder })).json<Finding[]>();
    expect(inside.at(-1)).toMatchObject({ check: 'checkout', result: 'ok' });
    await dispose();
  });

  it('makes every check even if one fails, prints the next step, and exits with 1', async () => {
    const machine = await Machine.create();
    const run = await machine.plat(['doctor', '--json']);
    expect(run.code).toBe(1);
    expect(run.json<Finding[]>()).toContainEqual({
      check: 'alias',
      result: 'failed',
      detail: 'No platform alias is configured on this machine.',
      next: 'plat cloud init <alias> --api-url <url>',
    });
    const results = run.json<Finding[]>().map(({ check, result }) => [check, result]);
    expect(results).toHaveLength(7);
    expect(results).toEqual(
      expect.arrayContaining([
        ['platform', 'skipped'],
        ['sign-in', 'skipped'],
      ]),
    );
    await machine.remove();
  });

  it('distinguishes a platform that answers from a missing sign-in', async () => {
    const { machine, platform, dispose } = await signedInMachine();
    await machine.plat(['cloud', 'logout']);
    const run = await machine.plat(['doctor', '--json']);
    expect(run.code).toBe(1);
    expect(run.json()).toContainEqual(
      expect.objectContaining({ check: 'platform', result: 'ok', detail: 'answers, version 0.1.0' }),
    );
    expect(run.json()).toContainEqual(
      expect.objectContaining({
        check: 'sign-in',
        result: 'failed',
        next: 'plat cloud login --alias work',
      }),
    );
    expect(platform.to('GET /v1/whoami')).toEqual([]);
    await dispose();
  });
});
