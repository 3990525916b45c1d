import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';

describe('plat completion', () => {
  let machine: Machine;
  beforeAll(async () => (machine = await Machine.create()));
  afterAll(() => machine.remove());

  let folder: string | undefined;
  async function inBash(...typed: string[]): Promise<string[]> {
    const { stdout: script } = await machine.plat(['completion', 'bash']);
    const file = join(machine.home, 'plat.bash');
    await writeFile(file, script);
    const probe = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plat; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', probe, file, 'plat', ...typed], {
      cwd: folder ?? machine.home,
    });
    return stdout.trim().split('\n');
  }

  it('offers the words and flags that can follow in bash', async () => {
    expect(await inBash('rev')).toEqual(['review']);
    expect(await inBash('review', 'queue', '')).toEqual([
      'advance',
      'list',
      'override-advance',
      'show',
      'stats',
    ]);
    expect(await inBash('review', 'show', '--al')).toEqual(['--alias']);
    expect(await inBash('review', 'list', '--status', 'READY', '--target-b')).toEqual(['--target-branch']);
  });

  it('offers values for flags and arguments that take them', async () => {
    const { folder: checkout } = await GateCheckout.create(machine);
    folder = checkout;
    expect(await inBash('review', 'list', '--status', 'RE')).toEqual(['READY']);
    expect(await inBash('exec', 'gate-run', 'report', 'x', '--verdict', '')).toEqual([
      'PASSED',
      'FAILED',
      'INCONCLUSIVE',
    ]);
    expect(await inBash('drive', '--target-branch', '')).toEqual(['main']);
    expect(await inBash('drive', '--target', 'm')).toEqual(['main']);
    expect(await inBash('completion', '')).toEqual(expect.arrayContaining(['bash', 'zsh', 'fish']));
    // For a free value the shell offers files; after a flag without a value, the words that can follow.
    expect(await inBash('review', 'create', '--name', '')).toEqual(['']);
    expect(await inBash('drive', '--once', '--target-b')).toEqual(['--target-branch']);
    folder = undefined;
  });

  it.each(['zsh', 'fish'])('knows %s as well', async (shell) => {
    const run = await machine.plat(['completion', shell]);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain('override-advance');
  });

  it('knows no other shell', async () => {
    expect((await machine.plat(['completion', 'tcsh', '--json'])).json()).toMatchObject({ code: 'USAGE' });
  });
});
