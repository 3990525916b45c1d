import { LandingScene, twelveLines as text } from '@plat/testing';
import { judgeHead, verdictOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

const git = (...args: string[]) => scene.remote.git(...args);
const idOf = (revision: string) => git('rev-parse', revision);

/** Puts a merge with these parents, in this order, and the tree of any revision on `main`. */
async function mergeAs(tree: string, ...parents: string[]): Promise<string> {
  const commit = await git(
    ...['commit-tree', `${tree}^{tree}`, '-m', 'merge'],
    ...parents.flatMap((each) => ['-p', each]),
  );
  await git('reset', '--quiet', '--hard', commit);
  return commit;
}

const mergeTrees = async (one: string, other: string) => (await scene.remote.mergeTree(one, other)).tree;

describe("a merge that has the source's line first, and the target second, is judged on the target", () => {
  const undone = ['DIVERGENT target_change_undone', 'undone work target'];

  it('if the source had a further commit, and the merge drops the work of the target', async () => {
    await scene.topic({ 'part.txt': 'part\n' });
    const anchorCommitId = await scene.remote.commit({ work: 'w\n' });
    const further = await git('commit-tree', 'topic^{tree}', '-p', 'topic', '-m', 'further');
    const landedCommitId = await mergeAs('topic', further, 'main');
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual(undone);
    await scene.remote.commit({ foreign: 'f\n' });
    expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
      verdict: 'DIVERGENT',
      landedCommitId,
    });
  });

  it('if the reported commit drops a part of the source after it', async () => {
    const anchorCommitId = await scene.remote.head();
    await scene.topic({ 'part.txt': 'part\n', 'guard.txt': 'g\n' });
    const work = await scene.remote.commit({ work: 'w\n' });
    await mergeAs(await mergeTrees('main', 'topic'), 'topic', work);
    await scene.remote.commit({ 'guard.txt': null });
    const missing = ['DIVERGENT source_change_missing', 'missing guard.txt source'];
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual(missing);
  });
});

describe('a fast-forward is sound', () => {
  it("if others' branch was merged by the target's own side afterwards, and the anchor is in the source alone", async () => {
    const old = await scene.remote.head();
    const anchorCommitId = await scene.remote.commit({ base: 'b\n' });
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await git('merge', '--quiet', '--ff-only', 'topic');
    const sourceTip = await idOf('topic');
    await scene.remote.switch('release', old);
    await scene.remote.commit({ 'app.txt': text({ two: 'release' }), r: 'r\n' });
    await scene.remote.switch('main');
    await git('merge', '--quiet', '--strategy', 'ours', '--no-edit', 'release');
    const reported = { commitId: sourceTip, targetBranch: 'main', anchorCommitId };
    expect(await verdictOf(scene.remote, reported)).toEqual(['EXACT']);
    expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
      verdict: 'SAME_CHANGE',
      reason: 'other_commit',
      landedCommitId: sourceTip,
    });
  });

  it('but not if a commit drops a part of the source after the merge of another branch', async () => {
    const anchorCommitId = await scene.remote.head();
    await scene.topic({ 'part.txt': 'part\n', 'guard.txt': 'g\n' });
    await scene.remote.switch('other', 'main');
    await scene.remote.commit({ o: 'o\n' });
    await scene.remote.switch('main');
    await git('merge', '--quiet', '--ff-only', 'topic');
    await git('merge', '--quiet', '--no-ff', '--no-edit', 'other');
    await scene.remote.commit({ 'guard.txt': null });
    const missing = ['DIVERGENT source_change_missing', 'missing guard.txt source'];
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual(missing);
  });
});

it('the reported commit is judged if it takes back a part that was on the target before the anchor', async () => {
  await scene.topic({ 'app.txt': text({ two: 'TWO', nine: 'NINE' }) });
  const anchorCommitId = await scene.remote.commit({ 'app.txt': text({ two: 'TWO' }) });
  await scene.remote.commit({ 'app.txt': text({ two: 'TWO', nine: 'NINE' }) });
  await scene.remote.commit({ 'app.txt': text({ nine: 'NINE' }) });
  const missing = ['DIVERGENT source_change_missing', 'missing app.txt:2-2 target'];
  expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual(missing);
});

it("the source's own tip is UNKNOWN if the target does not have it", async () => {
  await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
  const commitId = await idOf('topic');
  const unknown = ['UNKNOWN landing_not_found'];
  expect(await verdictOf(scene.remote, { commitId, targetBranch: 'main' })).toEqual(unknown);
  expect(await verdictOf(scene.remote, { commitId, targetBranch: 'gone' })).toEqual(unknown);
});
