import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GateCheckout, lines } from '../black-box/gate-checkout';
import { Machine } from '../black-box/plat-process';
import type { GateMerge } from './gate-merge';

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

  it('lands 8 sources as the same tree as merging them one by one by hand', async () => {
    const { checkout, gate } = await setUp();
    const sources = Array.from({ length: 8 }, (_, at) => `feature/${at + 1}-part`);
    for (const [at, source] of sources.entries()) {
      await checkout.branch(source, { 'numbers.txt': lines(1, 40, { [5 * at + 1]: 'changed' }) });
    }
    const byHand = await checkout.treeByHand(...sources);
    const result = (await gate(sources)).json<GateMerge>();
    expect(result.merged.map(({ sourceBranch }) => sourceBranch)).toEqual(sources);
    expect(await checkout.tree('HEAD')).toBe(byHand);
  });

  it('leaves no file of a conflict between a file and a folder', async () => {
    const { checkout, gate } = await setUp();
    await checkout.branch('folder', { 'thing/inside.txt': 'inside\n' });
    await checkout.branch('file', { thing: 'file\n' });
    const run = await gate(['folder', 'file']);
    expect(run.json<GateMerge>().skipped).toMatchObject([{ sourceBranch: 'file', reason: 'conflict' }]);
    expect(await checkout.git('status', '--porcelain', '--ignored')).toBe('');
  });

  it('skips a source that shares no history with the target', async () => {
    const { checkout, gate } = await setUp();
    await checkout.git('switch', '--quiet', '--orphan', 'other');
    await checkout.commit({ 'other.txt': 'other\n' }, 'Another beginning');
    await checkout.git('push', '--quiet', 'origin', 'other');
    const run = await gate(['other']);
    expect(run.json<GateMerge>().skipped).toMatchObject([{ sourceBranch: 'other', reason: 'unrelated' }]);
    expect(await checkout.git('status', '--porcelain')).toBe('');
  });

  it('keeps for each of two stacked branches the lines of its own history', async () => {
    const { checkout, gate } = await setUp();
    await checkout.branch('below', { a: 'a\n' }, 'Below\n\nCloses #1');
    await checkout.git('switch', '--quiet', '--create', 'above', 'below');
    await checkout.commit({ b: 'b\n' }, 'Above\n\nCloses #2');
    await checkout.git('push', '--quiet', 'origin', 'above');
    const { merged } = (await gate(['below', 'above'])).json<GateMerge>();
    expect(merged.map(({ message }) => message)).toEqual([
      'Merge below\n\nCloses #1',
      'Merge above\n\nCloses #1\nCloses #2',
    ]);
  });

  it("makes the same merge with user settings that would change git's merges and listings", async () => {
    const { checkout, gate } = await setUp();
    const [first] = await threeBranches(checkout);
    await checkout.git('config', 'branch.main.mergeOptions', '--no-ff');
    await checkout.git('config', 'merge.ff', 'only');
    await checkout.git('config', 'status.showUntrackedFiles', 'no');
    expect((await gate([first!])).json<GateMerge>().merged).toHaveLength(1);
    await writeFile(join(checkout.folder, 'untracked.txt'), 'mine\n');
    expect((await gate([first!])).json()).toMatchObject({ code: 'DIRTY_TREE' });
  });

  it('uses the branches of origin if tags have the same names', async () => {
    const { checkout, gate } = await setUp();
    const [first] = await threeBranches(checkout);
    const byHand = await checkout.treeByHand(first!);
    await checkout.git('switch', '--quiet', '--create', 'mine');
    for (const tag of ['main', first!, 'mine', 'origin']) {
      await checkout.git('tag', tag, await checkout.git('commit-tree', '-m', 'Other', 'HEAD^{tree}'));
    }
    const result = (await gate([first!], ['--target-branch=main'])).json<GateMerge>();
    expect(await checkout.tree(result.mergeCommit)).toBe(byHand);
    expect(await checkout.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
  });

  it('keeps a commit on top of an earlier merge, but not the earlier merge', async () => {
    const { checkout, gate } = await setUp();
    const [first] = await threeBranches(checkout);
    await gate([first!]);
    const mine = await checkout.commit({ 'mine.txt': 'mine\n' }, 'Mine');
    expect((await gate([first!])).json()).toMatchObject({
      code: 'LOCAL_COMMITS',
      details: { commits: [mine] },
    });
  });

  it('is not blocked by refs of an earlier gate', async () => {
    const { checkout, gate } = await setUp();
    await checkout.branch('part', { a: 'a\n' });
    await gate(['part']);
    await checkout.git('push', '--quiet', 'origin', '--delete', 'part');
    await checkout.git('branch', '--quiet', '--delete', '--force', 'part');
    await checkout.branch('part/two', { b: 'b\n' });
    expect((await gate(['part/two'])).json<GateMerge>().merged).toHaveLength(1);
  });
});
