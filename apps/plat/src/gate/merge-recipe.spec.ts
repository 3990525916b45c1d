import { join } from 'node:path';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import type { GateMerge } from './gate-merge';
import { skipDetail } from './gate-merge-view';
import { gitIn } from './git';
import { mergeByRecipe } from './merge-by-recipe';

/** A person's setting, attribute or variable: how it is made, and the variables of the command. */
type Setting = (checkout: GateCheckout) => Promise<Record<string, string> | void>;

const configured =
  (...settings: [key: string, value: string][]): Setting =>
  async (checkout) => {
    for (const [key, value] of settings) await checkout.git('config', key, value);
  };

describe('the merge of a gate', () => {
  const machines: Machine[] = [];
  afterAll(() => Promise.all(machines.map((machine) => machine.remove())));

  async function setUp() {
    const machine = await Machine.create();
    machines.push(machine);
    const checkout = await GateCheckout.create(machine);
    const gate = async (sources: string[], env: Record<string, string> = {}) => {
      const args = [
        'exec',
        'gate-merge',
        '--messages-on-stdin',
        ...sources.map((source) => `--source=${source}`),
        '--json',
      ];
      const run = await machine.plat(args, { cwd: checkout.folder, input: sources.join('\0'), env });
      return run.json<GateMerge>();
    };
    return { machine, checkout, gate };
  }

  /** Commits on main and pushes it. */
  async function target(checkout: GateCheckout, files: Record<string, string>): Promise<void> {
    await checkout.commit(files, 'Target');
    await checkout.git('push', '--quiet', 'origin', 'main');
  }

  /**
   * `clean` renames three files and edits them, which the target edits as well, moves a folder to which the target adds
   * a file, and has a file whose best line matches depend on the algorithm. `clash` changes a line that the target
   * changes too.
   */
  async function hostileHistory(checkout: GateCheckout): Promise<void> {
    const file = (name: string, changed = {}) => lines(1, 40, changed).replaceAll('line', `${name} line`);
    const before: Record<string, string> = { 'crlf.txt': lines(1, 30).replaceAll('\n', '\r\n') };
    for (const name of ['a', 'b', 'c']) before[`${name}.txt`] = file(name);
    for (const name of ['1', '2', '3']) before[`folder/${name}`] = file(name);
    await target(checkout, before);
    await checkout.git('switch', '--quiet', '--create', 'clean', 'main');
    await checkout.git('mv', 'folder', 'moved');
    for (const name of ['a', 'b', 'c']) {
      await checkout.git('mv', `${name}.txt`, `new-${name}.txt`);
      await checkout.commit({ [`new-${name}.txt`]: file(name, { 3: 'three' }) }, 'Rename');
    }
    await checkout.commit({ 'crlf.txt': lines(1, 30, { 3: 'three' }).replaceAll('\n', '\r\n') }, 'Edit');
    await checkout.git('push', '--quiet', 'origin', 'clean');
    await checkout.git('switch', '--quiet', 'main');
    await checkout.branch('clash', { 'README.md': 'app of the source\n' });
    const after: Record<string, string> = { 'folder/4': 'new\n', 'README.md': 'app of the target\n' };
    for (const name of ['a', 'b', 'c']) after[`${name}.txt`] = file(name, { 30: 'thirty' });
    after['crlf.txt'] = lines(1, 30, { 25: 'twenty-five' }).replaceAll('\n', '\r\n');
    await target(checkout, after);
  }

  /** The merges of two histories without any setting, which each other case has to repeat. */
  async function outcome(set: Setting) {
    const { checkout, gate } = await setUp();
    await hostileHistory(checkout);
    const env = (await set(checkout)) ?? {};
    const { merged, skipped, mergeCommit } = await gate(['clean', 'clash'], env);
    return {
      merged: merged.map(({ sourceBranch }) => sourceBranch),
      skipped: skipped.map(({ sourceBranch, reason, files }) => ({ sourceBranch, reason, files })),
      tree: await checkout.tree(mergeCommit),
      files: await checkout.git('ls-tree', '-r', '--name-only', mergeCommit),
    };
  }

  let plain: Awaited<ReturnType<typeof outcome>>;
  beforeAll(async () => {
    plain = await outcome(async () => undefined);
  }, 60_000);

  it('joins renames and edits, guesses at no renamed folder, and decides no conflict', () => {
    expect(plain).toMatchObject({
      merged: ['clean'],
      skipped: [{ sourceBranch: 'clash', reason: 'conflict', files: ['README.md'] }],
    });
    expect(plain.files.split('\n').sort()).toEqual(
      [
        ...['README.md', 'crlf.txt', 'folder/4', 'moved/1', 'moved/2', 'moved/3'],
        ...['new-a.txt', 'new-b.txt', 'new-c.txt', 'numbers.txt'],
      ].sort(),
    );
  });

  describe('of a file that both sides changed, for which a tree asks for a driver', () => {
    it('names the driver also if the recipe finds a conflict, which the driver would have decided', async () => {
      const { checkout, gate } = await setUp();
      await target(checkout, { 'log.md': lines(1, 3), '.gitattributes': '*.md merge=union\n' });
      await checkout.branch('part', { 'log.md': lines(1, 4), 'numbers.txt': 'source\n' });
      await target(checkout, { 'log.md': lines(1, 3) + 'target\n', 'numbers.txt': 'target\n' });
      const { skipped } = await gate(['part']);
      expect(skipped).toMatchObject([{ reason: 'conflict', files: ['log.md', 'numbers.txt'] }]);
      expect(skipDetail(skipped[0]!)).toContain('(log.md has merge=union)');
    });

    it("is one if only the source's tree has the attribute, or a folder's own file has it", async () => {
      const { checkout, gate } = await setUp();
      await target(checkout, { 'docs/log.md': lines(1, 40), 'docs/code.ts': lines(1, 40) });
      const edits = { 'docs/log.md': lines(1, 40, { 2: 'two' }), 'docs/code.ts': lines(1, 40, { 2: 'two' }) };
      await checkout.branch('part', { ...edits, 'docs/.gitattributes': 'log.md merge=union\n' });
      await checkout.branch('plain', edits);
      await target(checkout, {
        'docs/log.md': lines(1, 40, { 30: 'thirty' }),
        'docs/code.ts': lines(1, 40, { 30: 'thirty' }),
      });
      const { merged, skipped } = await gate(['part', 'plain']);
      expect(skipped).toMatchObject([{ sourceBranch: 'part', files: ['docs/log.md'] }]);
      expect(merged).toMatchObject([{ sourceBranch: 'plain' }]);
    });

    it('is merged if only one side changed it', async () => {
      const { checkout, gate } = await setUp();
      await target(checkout, { 'log.md': lines(1, 40), '.gitattributes': '* merge=union\n' });
      await checkout.branch('part', { 'log.md': lines(1, 40, { 2: 'two' }) });
      await target(checkout, { 'other.md': 'other\n' });
      expect((await gate(['part'])).merged).toHaveLength(1);
    });
  });

  it('is made in a linked worktree, and its objects stay in the repository', async () => {
    const { machine, checkout } = await setUp();
    await checkout.branch('part', { 'numbers.txt': lines(1, 40, { 2: 'two' }) });
    const tree = join(machine.home, 'linked');
    await checkout.git('worktree', 'add', '--quiet', '--detach', tree);
    const merged = await mergeByRecipe(gitIn(tree), { onto: 'main', source: 'part' });
    expect(merged).toMatchObject({ outcome: 'clean' });
    if (merged.outcome !== 'clean') return;
    await checkout.git('fsck', '--strict');
    expect(await checkout.git('cat-file', '-t', merged.tree)).toBe('tree');
  });

  it('is a conflict of a submodule that both sides moved, although the checkout has its newer commit', async () => {
    const { checkout } = await setUp();
    const library = (...args: string[]) => checkout.git('-C', 'library', ...args);
    await checkout.git('init', '--quiet', 'library');
    const release = async () => {
      await library('commit', '--quiet', '--allow-empty', '-m', 'Release');
      return library('rev-parse', 'HEAD');
    };
    const [first, second, third] = [await release(), await release(), await release()];
    const commit = async (parent: string, version: string) => {
      await checkout.git('update-index', '--add', '--cacheinfo', `160000,${version},library`);
      return checkout.git('commit-tree', '-p', parent, '-m', 'Move', await checkout.git('write-tree'));
    };
    const base = await commit('main', first);
    const [onto, source] = [await commit(base, second), await commit(base, third)];
    await expect(mergeByRecipe(gitIn(checkout.folder), { onto, source })).resolves.toEqual({
      outcome: 'conflict',
      files: ['library'],
    });
  });

  it('is made in a partial clone, whose missing files git fetches', async () => {
    const { machine, checkout } = await setUp();
    await target(checkout, {
      'log.md': lines(1, 40),
      'docs/.gitattributes': '* -text\n',
      'docs/a': lines(1, 40),
    });
    await checkout.branch('part', {
      'log.md': lines(1, 40, { 2: 'two' }),
      'docs/a': lines(1, 40, { 2: 'two' }),
    });
    await target(checkout, {
      'log.md': lines(1, 40, { 30: 'thirty' }),
      'docs/a': lines(1, 40, { 30: 'thirty' }),
    });
    await checkout.git('-C', checkout.origin, 'config', 'uploadpack.allowFilter', 'true');
    const partial = join(machine.home, 'partial');
    const options = ['--quiet', '--bare', '--filter=blob:none'];
    await checkout.git('clone', ...options, `file://${checkout.origin}`, partial);
    const whole = await mergeByRecipe(gitIn(checkout.folder), { onto: 'main', source: 'part' });
    expect(whole).toMatchObject({ outcome: 'clean', joined: ['docs/a', 'log.md'] });
    // git takes no bare repository that it merely finds.
    const named = gitIn(partial, undefined, { GIT_DIR: partial });
    expect(await mergeByRecipe(named, { onto: 'main', source: 'part' })).toEqual(whole);
  });

  it('refuses before the merge if commits are signed here and no key works', async () => {
    const { checkout, machine } = await setUp();
    await checkout.branch('part', { 'part.txt': 'part\n' });
    await configured(['commit.gpgSign', 'true'], ['gpg.program', 'false'])(checkout);
    const before = await checkout.git('rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD');
    const run = await machine.plat(['exec', 'gate-merge', '--messages-on-stdin', '--source=part', '--json'], {
      cwd: checkout.folder,
      input: 'Part',
    });
    expect(run.json()).toMatchObject({
      code: 'CANNOT_SIGN',
      details: { next: expect.stringContaining('git config user.signingKey') },
    });
    expect(await checkout.git('rev-parse', 'HEAD', '--symbolic-full-name', 'HEAD')).toBe(before);
  });
});
