import { GitRemote } from '@plat/testing';
import { askInProcess } from '../judge/ask-in-process';
import type { LandedContent } from './content-verdict';
import type { ContentQuestion } from './judge-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'];
const text = (changes: Record<string, string> = {}): string =>
  LINES.map((line) => `${changes[line] ?? line}\n`).join('');

let remote: GitRemote;
beforeEach(async () => {
  remote = await GitRemote.create();
  await remote.commit({ 'app.txt': text(), 'lib/util.txt': text(), 'lib/old.txt': 'old\n' });
  await remote.git('branch', 'topic');
});
afterEach(() => remote.remove());

const judge = async (question: ContentQuestion): Promise<LandedContent> =>
  (await askInProcess({ condition: 'content', address: remote.fileUrl, ...question })) as LandedContent;

const judgeLanding = (commitId: string): Promise<LandedContent> =>
  judge({ commitId, sourceBranch: 'topic', targetBranch: 'main' });

const verdictOf = async (commitId: string): Promise<string> => {
  const content = await judgeLanding(commitId);
  return content.verdict === 'EXACT' ? 'EXACT' : `${content.verdict} ${content.reason}`;
};

/** Makes the topic: two commits, of which the second edits the first one's lines again. */
async function topic(): Promise<void> {
  await remote.switch('topic');
  await remote.commit({ 'app.txt': text({ two: 'TWO' }), 'new.txt': 'new\n' });
  await remote.commit({ 'app.txt': text({ two: 'TWO!', eight: 'EIGHT' }) });
  await remote.switch('main');
}

/** Lands another review on the target. */
const others = () =>
  remote.commit({
    'app.txt': text({ five: 'FIVE' }),
    'lib/util.txt': text({ one: 'ONE' }),
    other: 'other\n',
  });

/** Commits on main the tree of any other commit, as a careless script does. */
async function land(tree: string): Promise<string> {
  const commit = await remote.git('commit-tree', `${tree}^{tree}`, '-p', 'main', '-m', 'landed');
  await remote.git('reset', '--quiet', '--hard', commit);
  return commit;
}

/** The tree of a merge onto any base, without a commit. */
const mergedTree = (base: string) => remote.git('merge-tree', '--write-tree', base, 'topic');

describe('correct landings', () => {
  it('a squash onto an idle target is EXACT, with its commits', async () => {
    await topic();
    const parentId = await remote.head();
    const commitId = await remote.squash('topic');
    expect(await judgeLanding(commitId)).toEqual({
      verdict: 'EXACT',
      commitId,
      parentId,
      treeId: await remote.git('rev-parse', `${commitId}^{tree}`),
      sourceTip: await remote.git('rev-parse', 'topic'),
    });
  });

  it('a squash next to changes of the same file is EXACT', async () => {
    await topic();
    await others();
    expect(await verdictOf(await remote.squash('topic'))).toBe('EXACT');
  });

  it('a merge commit is EXACT, whichever parent comes first', async () => {
    await topic();
    await others();
    const tree = await mergedTree('main');
    expect(await verdictOf(await remote.merge('topic'))).toBe('EXACT');
    const turned = ['-p', 'topic', '-p', 'main^1', '-m', 'turned'];
    expect(await verdictOf(await remote.git('commit-tree', tree, ...turned))).toBe('EXACT');
  });

  it('a fast-forward is EXACT', async () => {
    await topic();
    await remote.git('merge', '--quiet', '--ff-only', 'topic');
    expect(await verdictOf(await remote.head())).toBe('EXACT');
  });

  it('a rebase of several commits carries the change', async () => {
    await topic();
    await others();
    const [first, second] = (await remote.git('rev-list', '--reverse', 'main..topic')).split('\n');
    await remote.cherryPick(first!, second!);
    expect(await verdictOf(await remote.head())).toMatch(/^(EXACT|SAME_CHANGE)/);
  });

  it('a rebase whose last commit takes back an earlier one undoes no work of others', async () => {
    await remote.switch('topic');
    const first = await remote.commit({ 'lib/util.txt': text({ nine: 'NINE' }), 'draft.txt': 'draft\n' });
    const second = await remote.commit({
      'lib/util.txt': text(),
      'draft.txt': null,
      'app.txt': text({ two: 'TWO' }),
    });
    await remote.switch('main');
    await others();
    await remote.cherryPick(first, second);
    expect(await verdictOf(await remote.head())).toBe('SAME_CHANGE rebased');
  });

  it('a conflict that was resolved by hand is BY_HAND', async () => {
    await topic();
    await remote.commit({ 'app.txt': text({ two: 'zwei', five: 'FIVE' }) });
    const landed = await remote.commit({
      'app.txt': text({ two: 'TWO and zwei', five: 'FIVE', eight: 'EIGHT' }),
      'new.txt': 'new\n',
    });
    expect(await verdictOf(landed)).toBe('BY_HAND conflict_resolved');
  });

  it.each(['main', 'topic'])(
    'a file that %s renamed and the other side edited is EXACT, as git merges it',
    async (renaming) => {
      await remote.switch('topic');
      const edit = { 'app.txt': text({ two: 'TWO' }) };
      const rename = { 'app.txt': null, 'moved.txt': text() };
      await remote.commit(renaming === 'topic' ? rename : edit);
      await remote.switch('main');
      await remote.commit(renaming === 'topic' ? edit : rename);
      expect(await verdictOf(await remote.squash('topic'))).toBe('EXACT');
    },
  );

  it('modes, symbolic links and binaries that landed unchanged are EXACT', async () => {
    await remote.switch('topic');
    await remote.commit({
      'app.txt': { executable: text() },
      link: { symlink: 'app.txt' },
      'image.bin': Buffer.from([0, 1, 2]),
    });
    await remote.switch('main');
    await others();
    expect(await verdictOf(await remote.squash('topic'))).toBe('EXACT');
  });
});

describe('corrupt landings', () => {
  it('a squash on a wrong base that undoes merged work is DIVERGENT', async () => {
    await topic();
    const wrongBase = await remote.head();
    await others();
    expect(await verdictOf(await land(await mergedTree(wrongBase)))).toBe('DIVERGENT target_change_undone');
  });

  it('a squash on a wrong base is DIVERGENT if that base is newer than the commit at which the branches parted', async () => {
    await topic();
    const wrongBase = await remote.commit({ version: '1.1\n', 'lib/util.txt': text({ one: 'ONE' }) });
    await remote.commit({ version: '1.2\n' });
    expect(await verdictOf(await land(await mergedTree(wrongBase)))).toBe('DIVERGENT target_change_undone');
  });

  it('a squash that undoes work in a file of the review is DIVERGENT', async () => {
    await topic();
    const wrongBase = await remote.commit({ 'app.txt': text({ five: 'Five' }) });
    await remote.commit({ 'app.txt': text({ five: 'FIVE' }) });
    expect(await verdictOf(await land(await mergedTree(wrongBase)))).toBe('DIVERGENT target_change_undone');
  });

  it('the first commit of the source alone is DIVERGENT', async () => {
    await topic();
    await others();
    await remote.cherryPick('topic~1');
    expect(await verdictOf(await remote.head())).toBe('DIVERGENT source_change_missing');
  });

  it('a fast-forward to the first commit of the source alone is DIVERGENT', async () => {
    await topic();
    await remote.git('merge', '--quiet', '--ff-only', 'topic~1');
    expect(await verdictOf(await remote.head())).toBe('DIVERGENT source_change_missing');
  });

  it('a dropped file and an altered byte are DIVERGENT', async () => {
    await topic();
    await others();
    await remote.git('merge', '--quiet', '--squash', 'topic');
    expect(await verdictOf(await remote.commit({ 'new.txt': 'nEw\n' }))).toBe(
      'DIVERGENT source_change_missing',
    );
  });

  it('a merge that drops all of the source is DIVERGENT', async () => {
    await topic();
    await others();
    await remote.git('merge', '--quiet', '--no-ff', '-s', 'ours', '-m', 'ours', 'topic');
    expect(await verdictOf(await remote.head())).toBe('DIVERGENT source_change_missing');
  });

  it('a source that is all conflict and decided for the target is DIVERGENT', async () => {
    await remote.switch('topic');
    await remote.commit({ 'app.txt': text({ two: 'TWO' }) });
    await remote.switch('main');
    await remote.commit({ 'app.txt': text({ two: 'zwei' }) });
    expect(await verdictOf(await remote.commit())).toBe('DIVERGENT source_change_missing');
  });

  it('a resolved conflict that undoes undisputed lines is DIVERGENT', async () => {
    await topic();
    await remote.commit({ 'app.txt': text({ two: 'zwei', five: 'FIVE' }) });
    const landed = await remote.commit({
      'app.txt': text({ two: 'TWO!', eight: 'EIGHT' }),
      'new.txt': 'new\n',
    });
    expect(await verdictOf(landed)).toBe('DIVERGENT target_change_undone');
  });
});

describe('a landing that cannot be judged is UNKNOWN', () => {
  it('if there is no source branch', async () => {
    await topic();
    const commitId = await remote.squash('topic');
    await remote.git('branch', '-D', 'topic');
    expect(await judgeLanding(commitId)).toEqual({
      verdict: 'UNKNOWN',
      reason: 'source_missing',
      commitId,
      parentId: await remote.git('rev-parse', `${commitId}^`),
      treeId: await remote.git('rev-parse', `${commitId}^{tree}`),
    });
  });

  it('if it is an octopus merge', async () => {
    await topic();
    await remote.switch('second', 'main');
    await remote.commit({ second: 'second\n' });
    await remote.switch('main');
    await others();
    expect(await verdictOf(await remote.merge('topic', 'second'))).toBe('UNKNOWN octopus');
  });

  it('if the histories have nothing in common, and for a commit without a parent', async () => {
    await topic();
    await remote.orphan('other');
    const root = await remote.commit({ 'app.txt': text() });
    expect(await verdictOf(root)).toBe('UNKNOWN no_parent');
    expect(await verdictOf(await remote.commit({ more: 'more\n' }))).toBe('UNKNOWN unrelated_history');
  });

  it('if the remote lacks the commit', async () => {
    await topic();
    expect(await verdictOf('f'.repeat(40))).toBe('UNKNOWN remote_unreadable');
  });
});

describe('a reconciled landing', () => {
  const judgeReconciled = async () =>
    judge({
      sourceTip: await remote.git('rev-parse', 'topic'),
      targetTip: await remote.git('rev-parse', 'main'),
    });

  it('is judged by the commit that first carried the change, not by later ones', async () => {
    await topic();
    await others();
    const commitId = await remote.squash('topic');
    await remote.commit({ later: 'later\n' });
    expect(await judgeReconciled()).toMatchObject({ verdict: 'EXACT', commitId });
  });

  it('is judged by the merge that brought it', async () => {
    await topic();
    await others();
    const commitId = await remote.merge('topic');
    await remote.commit({ later: 'later\n' });
    expect(await judgeReconciled()).toMatchObject({ verdict: 'EXACT', commitId });
  });

  it('is EXACT if the source itself is on the target', async () => {
    await topic();
    await remote.git('merge', '--quiet', '--ff-only', 'topic');
    const commitId = await remote.head();
    await remote.commit({ later: 'later\n' });
    expect(await judgeReconciled()).toMatchObject({ verdict: 'EXACT', commitId });
  });

  it('is DIVERGENT if it is a squash on a wrong base, although the change is there', async () => {
    await topic();
    const wrongBase = await remote.head();
    await others();
    await land(await mergedTree(wrongBase));
    await remote.commit({ later: 'later\n' });
    expect(await judgeReconciled()).toMatchObject({ verdict: 'DIVERGENT', reason: 'target_change_undone' });
  });
});
