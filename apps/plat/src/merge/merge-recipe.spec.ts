import { join } from 'node:path';
import { lines } from '../black-box/gate-checkout';
import { configured, MergeHistories, type MergeOutcome, pushTarget } from '../black-box/merge-histories';
import { skipDetail } from '../gate/gate-merge-view';
import { gitIn } from '../git/git';
import { mergeByRecipe } from './merge-by-recipe';

describe('the merge of a gate', () => {
  const histories = new MergeHistories();
  afterAll(() => histories.remove());

  let plain: MergeOutcome;
  beforeAll(async () => {
    plain = await histories.outcome(async () => undefined);
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
      const { checkout, gate } = await histories.setUp();
      await pushTarget(checkout, { 'log.md': lines(1, 3), '.gitattributes': '*.md merge=union\n' });
      await checkout.branch('part', { 'log.md': lines(1, 4), 'numbers.txt': 'source\n' });
      await pushTarget(checkout, { 'log.md': lines(1, 3) + 'target\n', 'numbers.txt': 'target\n' });
      const { skipped } = await gate(['part']);
      expect(skipped).toMatchObject([{ reason: 'conflict', files: ['log.md', 'numbers.txt'] }]);
      expect(skipDetail(skipped[0]!)).toContain('(log.md has merge=union)');
    });

    it('is merged if only one side changed it', async () => {
      const { checkout, gate } = await histories.setUp();
      await pushTarget(checkout, { 'log.md': lines(1, 40), '.gitattributes': '* merge=union\n' });
      await checkout.branch('part', { 'log.md': lines(1, 40, { 2: 'two' }) });
      await pushTarget(checkout, { 'other.md': 'other\n' });
      expect((await gate(['part'])).merged).toHaveLength(1);
    });
  });

  it('is made in a linked worktree, and its objects stay in the repository', async () => {
    const { machine, checkout } = await histories.setUp();
    await checkout.branch('part', { 'numbers.txt': lines(1, 40, { 2: 'two' }) });
    const tree = join(machine.home, 'linked');
    await checkout.git('worktree', 'add', '--quiet', '--detach', tree);
    const merged = await mergeByRecipe(gitIn(tree), { onto: 'main', source: 'part' });
    expect(merged).toMatchObject({ outcome: 'clean' });
    if (merged.outcome !== 'clean') return;
    await checkout.git('fsck', '--strict');
    expect(await checkout.git('cat-file', '-t', merged.tree)).toBe('tree');
  });

  it('refuses before the merge if commits are signed here and no key works', async () => {
    const { checkout, machine } = await histories.setUp();
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
