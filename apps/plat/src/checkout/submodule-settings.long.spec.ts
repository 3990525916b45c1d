import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateCheckout } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import { gateMerge } from '../gate/gate-merge';
import { gitIn } from '../git/git';
import { requireCleanTree } from './checkout';
import { checkOut } from './place';
import { requireStanding } from './standing';

describe('the settings of submodules', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    const git = gitIn(checkout.folder);
    const gate = (...sources: string[]) =>
      gateMerge(
        git,
        { sources, targetBranch: 'main', messages: async (found) => new Map(found.map((one) => [one, one])) },
        (_what, work) => work,
      );
    return { machine, checkout, git, gate };
  }

  /** A checkout with the submodule `library`, and a branch `next` in which it is at another commit. */
  async function withLibrary() {
    const { machine, checkout, git, gate } = await setUp();
    const library = join(machine.home, 'library');
    await appendFile(join(machine.home, '.gitconfig'), '[protocol "file"]\n\tallow = always\n');
    process.env.HOME = machine.home;
    await checkout.git('init', '--quiet', library);
    await writeFile(join(library, 'code.txt'), 'one\n');
    await checkout.git('-C', library, 'add', 'code.txt');
    await checkout.git('-C', library, 'commit', '--quiet', '-m', 'One');
    await checkout.git('submodule', '--quiet', 'add', library, 'library');
    await checkout.commit({}, 'Library');
    await checkout.git('push', '--quiet', 'origin', 'main');
    await checkout.git('-C', library, 'commit', '--quiet', '--allow-empty', '-m', 'Two');
    await checkout.git('-C', 'library', 'fetch', '--quiet');
    await checkout.git('-C', 'library', 'checkout', '--quiet', '--detach', 'origin/main');
    await checkout.git('switch', '--quiet', '--create', 'next');
    await checkout.commit({}, 'Work on next');
    await checkout.git('push', '--quiet', 'origin', 'next');
    await checkout.git('switch', '--quiet', 'main');
    await checkout.git('submodule', '--quiet', 'update');
    return {
      machine,
      checkout,
      git,
      gate,
      inLibrary: (...args: string[]) => checkout.git('-C', 'library', ...args),
    };
  }
  const home = process.env.HOME;
  afterEach(() => {
    process.env.HOME = home;
  });

  it.each([
    ['outside the checkout', '../x'],
    ['an absolute one', '/etc'],
    ['an empty one', ''],
    ['an option', '--upload-pack=x'],
    ['a magic one', ':(top)x'],
    ['with a line break', '"a\\nb"'],
    ['a file of the checkout', 'README.md'],
    ['a longer one than a program can be given', 'a'.repeat(200_000)],
  ])('may name any path (%s): the gate merges this source and the next one', async (_what, path) => {
    const { checkout, gate } = await setUp();
    await checkout.branch('odd', { '.gitmodules': `[submodule "x"]\n\tpath = ${path}\n\turl = ../x\n` });
    await checkout.branch('next', { 'next.txt': 'next\n' });
    expect((await gate('odd')).merged).toMatchObject([{ sourceBranch: 'odd' }]);
    expect((await gate('next')).merged).toMatchObject([{ sourceBranch: 'next' }]);
  });

  it.each(['none', 'merge', 'rebase'])(
    'may set update to %s: the gate checks out the version that the commit names',
    async (how) => {
      const { checkout, gate, inLibrary } = await withLibrary();
      await inLibrary('switch', '--quiet', 'main');
      const branch = await inLibrary('rev-parse', 'main');
      await checkout.git('config', 'submodule.library.update', how);
      expect((await gate('next')).merged).toMatchObject([{ sourceBranch: 'next' }]);
      expect(await inLibrary('log', '-1', '--format=%s')).toBe('Two');
      expect(await inLibrary('rev-parse', 'main')).toBe(branch);
    },
  );

  it('may set update to none: a dropped submodule is put back with a commit that has it', async () => {
    const { checkout, git, gate } = await withLibrary();
    await checkout.git('switch', '--quiet', '--create', 'drop');
    await checkout.git('rm', '--quiet', '--cached', 'library');
    await checkout.git('commit', '--quiet', '-m', 'Drop');
    await checkout.git('push', '--quiet', 'origin', 'drop');
    await checkout.git('reset', '--quiet', '--hard', 'main');
    await checkout.git('config', 'submodule.library.update', 'none');
    expect((await gate('drop')).merged).toHaveLength(1);
    await checkOut(git, await checkout.git('rev-parse', 'origin/main'));
    expect(await readFile(join(checkout.folder, 'library', 'code.txt'), 'utf8')).toBe('one\n');
  });

  it('may set submodule.recurse: the gate still fetches a commit that the submodule lacks', async () => {
    const { machine, checkout, gate, inLibrary } = await withLibrary();
    const elsewhere = join(machine.home, 'elsewhere');
    await checkout.git('clone', '--quiet', '--recurse-submodules', checkout.origin, elsewhere);
    const library = join(machine.home, 'library');
    await checkout.git('-C', library, 'commit', '--quiet', '--allow-empty', '-m', 'Three');
    await checkout.git('-C', `${elsewhere}/library`, 'pull', '--quiet', 'origin', 'main');
    await checkout.git('-C', elsewhere, 'commit', '--quiet', '--all', '-m', 'Three');
    await checkout.git('-C', elsewhere, 'push', '--quiet', 'origin', 'HEAD:refs/heads/third');
    await checkout.git('config', 'submodule.recurse', 'true');
    expect((await gate('third')).merged).toHaveLength(1);
    expect(await inLibrary('log', '-1', '--format=%s')).toBe('Three');
  });

  it('do not hide a file of a submodule: the gate refuses a file that git does not look at', async () => {
    const { checkout, git, inLibrary } = await withLibrary();
    await inLibrary('update-index', '--assume-unchanged', 'code.txt');
    await writeFile(join(checkout.folder, 'library', 'code.txt'), 'other\n');
    const hidden = { code: 'HIDDEN_FILES', details: { files: ['library/code.txt'] } };
    await expect(requireCleanTree(git)).rejects.toMatchObject(hidden);
    const head = await checkout.git('rev-parse', 'HEAD');
    await expect(requireStanding(git, 'main', head)).rejects.toMatchObject(hidden);
  });
});
