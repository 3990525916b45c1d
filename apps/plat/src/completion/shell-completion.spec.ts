import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile, testEnvironment } from '@plat/testing';
import { GateCheckout } from '../black-box/gate-checkout';
import { HostileNames, SHELL_NAMES } from '../black-box/hostile-names';
import { Machine } from '../black-box/plat-process';

describe('plat completion', () => {
  let machine: Machine;
  beforeAll(async () => (machine = await Machine.create()));
  afterAll(() => machine.remove());

  let folder: string | undefined;
  let names: HostileNames | undefined;
  async function inBash(...typed: string[]): Promise<string[]> {
    const { stdout: script } = await machine.plat(['completion', 'bash']);
    const file = join(machine.home, 'plat.bash');
    await writeFile(file, script);
    const probe = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plat; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', probe, file, 'plat', ...typed], {
      cwd: folder ?? machine.home,
      env: { ...testEnvironment(), ...names?.environment },
    });
    return stdout.trim().split('\n');
  }

  /** Reads a line of offers as bash does after the person has pressed enter. */
  async function readByBash(offers: readonly string[]): Promise<string[]> {
    const probe = `eval "set -- $0"; printf '%s\\n' "$@"`;
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-c', probe, offers.join(' ')], {
      cwd: machine.home,
      env: { ...testEnvironment(), ...names?.environment },
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

  it('takes every name from outside as text, and quotes it', async () => {
    names = await HostileNames.create(machine);
    folder = names.folder;
    for (const [place, offered] of names.places) {
      const offers = (await inBash(...place, '')).filter((offer) => !offer.startsWith('--'));
      expect((await readByBash(offers)).sort()).toEqual([...offered].sort());
    }
    expect(await names.touched()).toEqual([]);
    folder = names = undefined;
  });

  it('runs no command of a folder that is itself a bare repository', async () => {
    folder = await mkdtemp(join(machine.home, 'bare-'));
    const ran = join(machine.home, 'ran');
    // git would ask the remote for the commit that the branch lacks.
    const files = {
      HEAD: 'ref: refs/heads/main\n',
      config: `[core]
	repositoryFormatVersion = 1
	bare = true
	sshCommand = touch '${ran}'; false
[extensions]
	partialClone = origin
[remote "origin"]
	url = ssh://git.example.com/acme/app
	promisor = true
`,
      'refs/heads/main': `${'1'.repeat(40)}\n`,
    };
    await mkdir(join(folder, 'refs', 'heads'), { recursive: true });
    await mkdir(join(folder, 'objects'));
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    expect(await inBash('drive', '--target-branch', '')).toEqual(['']);
    expect(existsSync(ran)).toBe(false);
    folder = undefined;
  });

  it('completes a name whose beginning is typed raw, quoted or behind a sign at which bash splits', async () => {
    names = await HostileNames.create(machine);
    folder = names.folder;
    const place = ['drive', '--target-branch'];
    expect(await readByBash(await inBash(...place, 'x$('))).toEqual([SHELL_NAMES.substitution]);
    expect(await readByBash(await inBash(...place, 'x\\$\\('))).toEqual([SHELL_NAMES.substitution]);
    expect(await inBash(...place, "'ma")).toEqual(['main']);
    for (const quote of [`'`, `"`]) {
      // Bash keeps the opening quote, and adds the closing one.
      const [offer] = await inBash(...place, `${quote}x`);
      expect(await readByBash([`${quote}${offer}${quote}`])).toEqual([SHELL_NAMES.substitution]);
    }
    expect(await inBash('drive', '--target-branch=ma')).toEqual(['main']);
    expect(await names.touched()).toEqual([]);
    folder = names = undefined;
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
