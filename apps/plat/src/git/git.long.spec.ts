import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import { gitIn } from './git';

describe('git, as the client runs it', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    await checkout.branch('part', { 'part.txt': 'part\n' });
    const merge = (env: Record<string, string> = {}) =>
      machine.plat(['exec', 'gate-merge', '--messages-on-stdin', '--source=part', '--json'], {
        cwd: checkout.folder,
        input: 'Part',
        env,
      });
    return { machine, checkout, merge };
  }

  describe('bounds what a command prints', () => {
    const runScript = async (script: string) => {
      const { checkout } = await setUp();
      return gitIn(checkout.folder).try(['-c', `alias.print=!${script}`, 'print']);
    };

    it.each([
      ['stdout', 'yes'],
      ['stderr', 'yes >&2'],
    ])('ends one that prints on %s without an end', async (stream, script) => {
      await expect(runScript(script)).rejects.toMatchObject({
        code: 'GIT_OUTPUT_TOO_LARGE',
        details: { stream },
      });
    });

    it('keeps the last whole lines of a long stderr', async () => {
      const { code, stderr } = await runScript(
        'yes https://me:hunter2@git.example.com/ | head -n 200000 >&2; exit 3',
      );
      expect(code).toBe(3);
      expect(stderr.length).toBeLessThan(2 * 1024 * 1024);
      expect(new Set(stderr.trim().split('\n'))).toEqual(new Set(['https://git.example.com/']));
    });

    it('ends no push for what a hook prints', async () => {
      const { checkout } = await setUp();
      const hook = join(checkout.folder, '.git', 'hooks', 'pre-push');
      await writeFile(hook, '#!/bin/sh\nyes | head -c 20000000 >&2\n', { mode: 0o755 });
      const push = ['push', 'origin', 'main:refs/heads/copy'];
      expect(await gitIn(checkout.folder).try(push)).toMatchObject({ code: 0 });
    });

    it('keeps a stdout of many megabytes whole', async () => {
      expect((await runScript('yes | head -c 20000000')).stdout).toHaveLength(20_000_000);
    });
  });
});
