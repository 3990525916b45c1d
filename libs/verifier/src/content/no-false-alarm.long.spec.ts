import { LandingScene, twelveLines as text } from '@plat/testing';
import { judgeHead, judgeReconciled, verdictOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

describe('a squash, its revert and its second landing', () => {
  beforeEach(() => scene.topic({ 'app.txt': text({ two: 'TWO' }), new: 'new\n' }));

  it('raise no false alarm', async () => {
    const first = await scene.remote.squash('topic');
    await scene.remote.revert(first);
    const second = await scene.remote.squash('topic');
    expect(await verdictOf(scene.remote)).toEqual(['EXACT']);
    await scene.remote.commit();
    expect(await judgeHead(scene.remote, { anchorCommitId: first })).toMatchObject({
      verdict: 'SAME_CHANGE',
      landedCommitId: second,
    });
  });

  it('raise none if the target renames the file before the revert', async () => {
    const first = await scene.remote.squash('topic');
    await scene.remote.commit({ 'app.txt': null, 'moved.txt': text({ two: 'TWO' }) });
    await scene.remote.revert(first);
    await scene.remote.squash('topic');
    expect(await verdictOf(scene.remote)).toEqual(['EXACT']);
  });

  it.each([
    ['an empty commit', [{}]],
    ['commits that take each other back', [{ draft: 'draft\n' }, { draft: null }]],
  ])('raise none if the source has %s, and a line of a file that it deletes', async (_, nothing) => {
    await scene.remote.commit({ gone: 'again\n' });
    await scene.topic(...nothing, { gone: null }, ...nothing, { 'app.txt': `${text()}again\n` });
    await scene.remote.commit({ other: 'other\n' });
    await scene.remote.revert(await scene.remote.squash('topic'));
    await scene.remote.squash('topic');
    expect(await verdictOf(scene.remote)).toEqual(['EXACT']);
  });
});

describe('a rename alone raises no false alarm', () => {
  const moved = { 'app.txt': null, 'moved.txt': text({ two: 'TWO' }) };

  it('in two steps, rebased', async () => {
    await scene.topic(moved, { 'moved.txt': null, 'moved/again.txt': text({ two: 'TWO', nine: 'NINE' }) });
    await scene.remote.commit({ 'app.txt': text({ five: 'FIVE' }) });
    await scene.remote.cherryPick('main..topic');
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rebased']);
  });
});

describe('a file that both sides moved to different paths', () => {
  it("may not land at the target's path without the source's lines", async () => {
    await scene.topic({ 'lib/util.txt': null, 'lib/moved.txt': text({ two: 'TWO' }), new: 'new\n' });
    await scene.remote.commit({ 'lib/util.txt': null, 'src/moved.txt': text({ nine: 'NINE' }) });
    await scene.remote.commit({ new: 'new\n' });
    const [verdict] = await verdictOf(scene.remote);
    expect(verdict).toBe('DIVERGENT source_change_missing');
  });
});

describe('a source that landed in parts lacks nothing', () => {
  const commits: Parameters<LandingScene['topic']> = [
    { 'lib/util.txt': text({ nine: 'NINE' }), draft: 'draft\n' },
    { 'lib/util.txt': text(), draft: null, 'app.txt': text({ two: 'TWO' }) },
  ];

  it('if it was rebased and its last commit takes back the first one', async () => {
    await scene.topic(...commits);
    await scene.remote.commit({ other: 'other\n' });
    await scene.remote.cherryPick('main..topic');
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rebased']);
  });

  it('but is DIVERGENT if it is stacked on a review that was squashed before and then edited over', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) }, { 'lib/util.txt': text({ nine: 'NINE' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO, over' }) });
    await scene.remote.commit({ 'lib/util.txt': text({ nine: 'NINE' }) });
    const missing = ['DIVERGENT source_change_missing', 'missing app.txt:2-2 source'];
    expect(await verdictOf(scene.remote)).toEqual(missing);
  });

  it('but it lacks the earlier part if that was reverted', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) }, { 'lib/util.txt': text({ nine: 'NINE' }) });
    const first = await scene.remote.commit({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.revert(first);
    await scene.remote.commit({ 'lib/util.txt': text({ nine: 'NINE' }) });
    expect(await verdictOf(scene.remote)).toEqual([
      'DIVERGENT source_change_missing',
      'missing app.txt:2-2 source',
    ]);
  });
});

describe('a landing that was found in the history', () => {
  it('must still not have undone anything', async () => {
    await scene.remote.commit({ 'lib/util.txt': text({ one: 'ONE' }) });
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ 'lib/util.txt': text({ one: 'ONE', nine: 'NINE' }) });
    await scene.squash({ 'lib/util.txt': text({ one: 'ONE' }) });
    expect(await judgeReconciled(scene.remote)).toMatchObject({
      verdict: 'DIVERGENT',
      reason: 'target_change_undone',
    });
  });

  it('is the one that still stands, if an earlier one was reverted', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.revert(await scene.squash({ other: 'other\n' }));
    const second = await scene.squash();
    await scene.remote.commit({ later: 'later\n' });
    expect(await judgeReconciled(scene.remote)).toMatchObject({ verdict: 'EXACT', commitId: second });
  });
});
