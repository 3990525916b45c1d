import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from '@plat/testing';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import { Machine, PATH } from '../black-box/plat-process';

describe('plat exec gate-merge', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    const gate = (
      sources: string[],
      more: string[] = [],
      input = sources.map((s) => `Merge ${s}`).join('\0'),
    ) =>
      machine.plat(
        [
          'exec',
          'gate-merge',
          '--messages-on-stdin',
          ...sources.map((s) => `--source=${s}`),
          '--json',
          ...more,
        ],
        {
          cwd: checkout.folder,
          input,
        },
      );
    return { machine, checkout, gate };
  }

  /** Three branches that change different lines of one file. */
  async function threeBranches(checkout: GateCheckout): Promise<string[]> {
    await checkout.branch('feature/1-first', { 'numbers.txt': lines(1, 40, { 2: 'two' }) });
    await checkout.branch('feature/2-second', {
      'numbers.txt': lines(1, 40, { 20: 'twenty' }),
      'new/file.txt': 'n\n',
    });
    await checkout.branch('bug/3-third', { 'numbers.txt': lines(1, 40, { 39: 'thirty-nine' }) });
    return ['feature/1-first', 'feature/2-second', 'bug/3-third'];
  }

  describe('restores the checkout', () => {
    it.each([
      'status',
      'fetch',
      'log',
      'checkout',
      'merge-tree',
      'commit-tree',
      'update-ref',
      'symbolic-ref',
    ])('if it is interrupted at git %s', async (step) => {
      const { machine, checkout } = await setUp();
      const [first, second] = await threeBranches(checkout);
      await checkout.git('switch', '--quiet', '--create', 'mine');
      const git = (await promisify(execFile)('sh', ['-c', 'command -v git'])).stdout.trim();
      const programs = join(machine.home, 'programs');
      await mkdir(programs);
      // Interrupts the client at its own git processes only: those that git itself starts have git as parent.
      const script = `case " $* " in *" ${step} "*) kill -INT $PPID;; esac\nexec ${git} "$@"\n`;
      await writeFile(join(programs, 'git'), `#!/bin/sh\n${script}`, { mode: 0o755 });
      const heads = () => checkout.git('for-each-ref', 'refs/heads');
      const before = await heads();
      const sources = [`--source=${first}`, `--source=${second}`, '--target-branch=main'];
      const run = await machine.plat(['exec', 'gate-merge', '--messages-on-stdin', ...sources, '--json'], {
        cwd: checkout.folder,
        input: 'One\0Two',
        env: { PATH: `${programs}:${PATH}` },
      });
      expect(run.json()).toMatchObject({ code: 'INTERRUPTED', exitCode: 1 });
      expect(await heads()).toBe(before);
      expect(await checkout.git('symbolic-ref', '--short', 'HEAD')).toBe('mine');
      expect(await checkout.git('status', '--porcelain')).toBe('');
    });

    it('if the stopped git leaves its lock', async () => {
      const { machine, checkout } = await setUp();
      const [first] = await threeBranches(checkout);
      await checkout.git('switch', '--quiet', '--create', 'mine');
      const git = (await promisify(execFile)('sh', ['-c', 'command -v git'])).stdout.trim();
      const programs = join(machine.home, 'programs');
      await mkdir(programs);
      // git leaves the lock if the signal arrives between opening the file and registering its removal.
      const script = `case " $* " in *" checkout "*) : > .git/index.lock; kill -INT $PPID; exec sleep 60;; esac`;
      await writeFile(join(programs, 'git'), `#!/bin/sh\n${script}\nexec ${git} "$@"\n`, { mode: 0o755 });
      const before = await checkout.git('for-each-ref', 'refs/heads');
      const run = await machine.plat(
        ['exec', 'gate-merge', '--messages-on-stdin', `--source=${first}`, '--target-branch=main', '--json'],
        { cwd: checkout.folder, input: 'One', env: { PATH: `${programs}:${PATH}` } },
      );
      expect(run.json()).toMatchObject({ code: 'INTERRUPTED', exitCode: 1 });
      expect(await checkout.git('for-each-ref', 'refs/heads')).toBe(before);
      expect(await checkout.git('symbolic-ref', '--short', 'HEAD')).toBe('mine');
    });
  });
});
