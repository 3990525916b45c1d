import { appendFile, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { besideGit } from '../black-box/beside-git';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import type { GateMerge } from '../gate/gate-merge';
import { gitIn } from '../git/git';
import { requireCleanTree } from './checkout';
import { checkOut } from './place';
import { requireStanding } from './standing';

describe('a checkout with a submodule', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  /** `part` moves the submodule to a commit that the checkout does not have yet. */
  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    await appendFile(join(machine.home, '.gitconfig'), '[protocol "file"]\n\tallow = always\n');
    const library = join(machine.home, 'library');
    await checkout.git('init', '--quiet', library);
    await writeFile(join(library, 'code.txt'), 'code\n');
    await checkout.git('-C', library, 'add', 'code.txt');
    const release = (name: string) =>
      checkout.git('-C', library, 'commit', '--quiet', '--allow-empty', '-m', name);
    await release('One');
    await checkout.git('submodule', '--quiet', 'add', library, 'library');
    await checkout.git('config', 'diff.ignoreSubmodules', 'all');
    await checkout.commit({}, 'Library');
    await checkout.git('push', '--quiet', 'origin', 'main');
    const elsewhere = join(machine.home, 'elsewhere');
    await checkout.git('clone', '--quiet', '--recurse-submodules', checkout.origin, elsewhere);
    await release('Two');
    await checkout.git('-C', `${elsewhere}/library`, 'pull', '--quiet', 'origin', 'main');
    await checkout.git('-C', elsewhere, 'commit', '--quiet', '--all', '-m', 'Two');
    await checkout.git('-C', elsewhere, 'push', '--quiet', 'origin', 'HEAD:refs/heads/part');
    /** Everything in the checkout, without the client's own refs. */
    const readState = async () =>
      (await checkout.everything()).replaceAll(/^\S+ (?:commit|blob)\trefs\/(worktree|plat)\/.*\n/gm, '');
    const inLibrary = (...args: string[]) => checkout.git('-C', 'library', ...args);
    const gate = (sources: string[], env: Record<string, string> = {}) =>
      machine.plat(
        [
          'exec',
          'gate-merge',
          '--messages-on-stdin',
          ...sources.map((source) => `--source=${source}`),
          '--json',
        ],
        {
          cwd: checkout.folder,
          input: sources.join('\0'),
          env,
        },
      );
    /** Commits what the git commands change in a clone of origin, and pushes that as a branch. */
    const elsewhereBranch = async (name: string, ...commands: string[][]) => {
      await checkout.git('-C', elsewhere, 'checkout', '--quiet', '--recurse-submodules', 'main');
      for (const args of commands) await checkout.git('-C', elsewhere, ...args);
      await checkout.git('-C', elsewhere, 'commit', '--quiet', '--all', '-m', name);
      await checkout.git('-C', elsewhere, 'push', '--quiet', 'origin', `HEAD:refs/heads/${name}`);
      await checkout.git('-C', elsewhere, 'checkout', '--quiet', '--detach', '--force', 'origin/main');
    };
    return {
      machine,
      checkout,
      git: gitIn(checkout.folder),
      standing: readState,
      inLibrary,
      gate,
      elsewhere,
      elsewhereBranch,
    };
  }

  it("is merged, checked out and restored with the submodule at the commit's version", async () => {
    const { machine, checkout, inLibrary, gate } = await setUp();
    const failed = await gate(['part'], await besideGit(machine, 'symbolic-ref', 'exit 1'));
    expect(failed.json()).toMatchObject({ code: 'GIT_FAILED' });
    expect(await inLibrary('log', '-1', '--format=%s')).toBe('One');
    expect(await checkout.git('status', '--porcelain', '--ignore-submodules=none')).toBe('');
    const run = await gate(['part']);
    expect(run.json<GateMerge>().merged).toHaveLength(1);
    expect(await inLibrary('log', '-1', '--format=%s')).toBe('Two');
  });

  it('is not clean while the submodule is at another commit, or changed', async () => {
    const { checkout, git, inLibrary } = await setUp();
    const head = await checkout.git('rev-parse', 'HEAD');
    await expect(requireCleanTree(git)).resolves.toMatchObject({ commit: head });
    await writeFile(join(checkout.folder, 'library', 'built.txt'), 'built\n');
    await expect(requireCleanTree(git)).rejects.toMatchObject({ details: { files: ['library'] } });
    // A gate may leave untracked files there.
    await expect(requireStanding(git, 'main', head)).resolves.toBeUndefined();
    await inLibrary('commit', '--quiet', '--allow-empty', '-m', 'Mine');
    await expect(requireStanding(git, 'main', head)).rejects.toMatchObject({ code: 'GATE_CHANGED_FILES' });
  });

  it('is not clean with an untracked file in the submodule, also if status.showUntrackedFiles is no', async () => {
    const { checkout, git, inLibrary } = await setUp();
    await inLibrary('config', 'status.showUntrackedFiles', 'no');
    await writeFile(join(checkout.folder, 'library', 'built.txt'), 'built\n');
    await expect(requireCleanTree(git)).rejects.toMatchObject({ details: { files: ['library'] } });
  });

  const clean = ['status', '--porcelain', '--ignored', '--ignore-submodules=none'];

  it('skips a source whose submodule is at a commit that its remote lacks', async () => {
    const { checkout, inLibrary, gate, elsewhere, elsewhereBranch } = await setUp();
    const commit = ['-C', 'library', 'commit', '--quiet', '--allow-empty', '-m', 'Lost'];
    await elsewhereBranch('lost', commit);
    const lost = await checkout.git('-C', elsewhere, 'rev-parse', 'origin/lost:library');
    const run = await gate(['lost', 'part']);
    const { merged, skipped } = run.json<GateMerge>();
    expect(skipped).toMatchObject([{ sourceBranch: 'lost', reason: 'submodule', files: ['library'] }]);
    expect(skipped[0]?.detail).toBe(`The remote of the submodule library has no commit ${lost}.`);
    expect(merged).toMatchObject([{ sourceBranch: 'part' }]);
    expect(await inLibrary('log', '-1', '--format=%s')).toBe('Two');
    expect(await checkout.git(...clean)).toBe('');
  });

  it('does not skip a source if the remote of its submodule does not answer: the gate fails', async () => {
    const { machine, standing, inLibrary, gate } = await setUp();
    await rename(join(machine.home, 'library'), join(machine.home, 'away'));
    const before = await standing();
    expect((await gate(['part'])).json()).toMatchObject({ code: 'GIT_FAILED' });
    expect(await standing()).toBe(before);
    expect(await inLibrary('log', '-1', '--format=%s')).toBe('One');
  });

  it('skips a source that breaks .gitmodules, in whose checkout no git command works', async () => {
    const { checkout, gate } = await setUp();
    const git = gitIn(checkout.folder);
    const blob = (await git.run(['hash-object', '-w', '--stdin'], '[submodule "library"\n')).trim();
    const entries = await checkout.git('ls-tree', 'main');
    const tree = await git.run(['mktree'], `${entries.replace(/[0-9a-f]{40}(?=\t\.gitmodules)/, blob)}\n`);
    const commit = await checkout.git('commit-tree', '-p', 'main', '-m', 'Broken', tree.trim());
    await checkout.git('push', '--quiet', 'origin', `${commit}:refs/heads/broken`);
    const { merged, skipped } = (await gate(['broken', 'part'])).json<GateMerge>();
    expect(skipped).toMatchObject([{ sourceBranch: 'broken', reason: 'submodule', files: ['.gitmodules'] }]);
    expect(merged).toMatchObject([{ sourceBranch: 'part' }]);
  });

  describe('that a commit drops', () => {
    it('is taken out with the merge, and is put back unchanged with a commit that has it', async () => {
      const { machine, checkout, standing, inLibrary, gate, elsewhereBranch } = await setUp();
      await elsewhereBranch('drop', ['rm', '--quiet', 'library']);
      await inLibrary('config', 'remote.origin.tagOpt', '--no-tags');
      await checkout.git('config', 'submodule.library.url', join(machine.home, 'library/.git'));
      const before = await standing();
      const failed = await gate(['drop'], await besideGit(machine, 'symbolic-ref', 'exit 1'));
      expect(failed.json()).toMatchObject({ code: 'GIT_FAILED' });
      expect(await standing()).toBe(before);
      expect((await gate(['drop'])).json<GateMerge>().merged).toHaveLength(1);
      expect(await checkout.git(...clean)).toBe('');
      expect(await readdir(checkout.folder)).not.toContain('library');
      await checkOut(gitIn(checkout.folder), await checkout.git('rev-parse', 'origin/main'));
      expect(await inLibrary('log', '-1', '--format=%s')).toBe('One');
      expect(await readdir(join(checkout.folder, 'library'))).toEqual(['.git', 'code.txt']);
      expect(await inLibrary('config', 'remote.origin.tagOpt')).toBe('--no-tags');
      expect(await checkout.git('config', 'submodule.library.url')).toMatch(/\.git$/);
      expect(await checkout.git(...clean)).toBe('');
    });

    it('is taken out if the target itself has dropped it', async () => {
      const { checkout, gate, elsewhereBranch } = await setUp();
      await elsewhereBranch('main', ['rm', '--quiet', 'library']);
      await elsewhereBranch('more', ['rm', '--quiet', 'README.md']);
      expect((await gate(['more'])).json<GateMerge>().merged).toHaveLength(1);
      expect(await readdir(checkout.folder)).toEqual(['.git', '.gitmodules', 'numbers.txt']);
      expect(await checkout.git(...clean)).toBe('');
    });

    it('is taken out and put back with its own submodules, also if it contains its git folder', async () => {
      const { machine, checkout, git, inLibrary } = await setUp();
      const inner = join(machine.home, 'inner');
      await checkout.git('clone', '--quiet', join(machine.home, 'library'), inner);
      await inLibrary('submodule', '--quiet', 'add', inner, 'inner');
      await inLibrary('commit', '--quiet', '--all', '-m', 'Inner');
      await checkout.git('-c', 'diff.ignoreSubmodules=none', 'commit', '--quiet', '--all', '-m', 'Both');
      const withBoth = await checkout.git('rev-parse', 'HEAD');
      await checkout.git('rm', '--quiet', '--cached', 'library', '.gitmodules');
      const tree = await checkout.git('write-tree');
      const without = await checkout.git('commit-tree', '-p', withBoth, '-m', 'None', tree);
      await checkout.git('reset', '--quiet');
      await rm(join(checkout.folder, 'library', '.git'));
      await rename(join(checkout.folder, '.git/modules/library'), join(checkout.folder, 'library', '.git'));
      await inLibrary('config', '--unset', 'core.worktree');
      await writeFile(join(checkout.folder, 'library/inner/.git'), 'gitdir: ../.git/modules/inner\n');
      await checkout.git(
        '-C',
        'library/.git',
        'config',
        '-f',
        'modules/inner/config',
        'core.worktree',
        '../../../inner',
      );
      expect(await checkout.git(...clean)).toBe('');
      await checkOut(git, without);
      expect(await readdir(checkout.folder)).toEqual(['.git', 'README.md', 'numbers.txt']);
      await checkOut(git, withBoth);
      expect(await readFile(join(checkout.folder, 'library', 'inner', 'code.txt'), 'utf8')).toBe('code\n');
      expect(await checkout.git(...clean)).toBe('');
    });

    it('is replaced by files of the same names', async () => {
      const { checkout, gate, elsewhere, elsewhereBranch } = await setUp();
      await elsewhereBranch(
        'vendored',
        ['rm', '--quiet', 'library'],
        ['config', 'alias.vendor', '!mkdir library && echo ours > library/code.txt && git add library'],
        ['vendor'],
      );
      expect(
        await checkout.git('-C', elsewhere, 'ls-tree', '--name-only', 'origin/vendored', 'library/'),
      ).toBe('library/code.txt');
      expect((await gate(['vendored'])).json<GateMerge>().merged).toHaveLength(1);
      expect(await readFile(join(checkout.folder, 'library', 'code.txt'), 'utf8')).toBe('ours\n');
      await checkOut(gitIn(checkout.folder), await checkout.git('rev-parse', 'origin/main'));
      expect(await readFile(join(checkout.folder, 'library', 'code.txt'), 'utf8')).toBe('code\n');
      expect(await checkout.git(...clean)).toBe('');
    });

    it('stays if it has files that no commit holds: the gate is refused and names them', async () => {
      const { checkout, standing, gate, elsewhereBranch } = await setUp();
      await elsewhereBranch('drop', ['rm', '--quiet', 'library']);
      await appendFile(join(checkout.folder, '.git/modules/library/info/exclude'), '.env\n');
      await writeFile(join(checkout.folder, 'library', '.env'), 'KEY=mine\n');
      const before = await standing();
      expect((await gate(['drop'])).json()).toMatchObject({
        code: 'FILES_IN_THE_WAY',
        details: { files: ['library/.env'] },
      });
      expect(await standing()).toBe(before);
      expect(await readFile(join(checkout.folder, 'library', '.env'), 'utf8')).toBe('KEY=mine\n');
      expect(await readFile(join(checkout.folder, 'library', 'code.txt'), 'utf8')).toBe('code\n');
    });

    it('stays with an untracked file, also if status.showUntrackedFiles is no', async () => {
      const { machine, checkout, gate, elsewhereBranch } = await setUp();
      await elsewhereBranch('drop', ['rm', '--quiet', 'library']);
      await appendFile(join(machine.home, '.gitconfig'), '[status]\n\tshowUntrackedFiles = no\n');
      await appendFile(join(checkout.folder, '.git/modules/library/info/exclude'), '.env\n');
      await writeFile(join(checkout.folder, 'library', '.env'), 'KEY=mine\n');
      expect((await gate(['drop'])).json()).toMatchObject({ code: 'FILES_IN_THE_WAY' });
      expect(await readFile(join(checkout.folder, 'library', '.env'), 'utf8')).toBe('KEY=mine\n');
    });

    it('is put back if the checkout fails after it was taken out', async () => {
      const { checkout, inLibrary, gate, elsewhereBranch } = await setUp();
      await elsewhereBranch(
        'drop',
        ['rm', '--quiet', 'library'],
        ['config', 'alias.make', '!echo theirs > made.txt && git add made.txt'],
        ['make'],
      );
      await appendFile(join(checkout.folder, '.git/info/exclude'), 'made.txt\n');
      await writeFile(join(checkout.folder, 'made.txt'), 'mine\n');
      expect((await gate(['drop'])).json()).toMatchObject({
        code: 'FILES_IN_THE_WAY',
        details: { files: ['made.txt'] },
      });
      expect(await inLibrary('log', '-1', '--format=%s')).toBe('One');
      expect(await checkout.git('status', '--porcelain', '--ignore-submodules=none')).toBe('');
    });
  });
});
