import { type FileChanges, LandingScene, twelveLines as text } from '@plat/testing';
import { judgeHead, verdictOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(120_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

const first = { 'app.txt': text({ two: 'TWO' }) };
const second = { 'app.txt': text({ two: 'TWO', nine: 'NINE' }) };

describe('a source that landed commit by commit', () => {
  it.each([
    ['', 0],
    [', before an empty commit', 1],
  ])("is BY_HAND, with its first commit, if that took back others' work%s", async (_, empty) => {
    await scene.topic(first, second);
    const anchorCommitId = await scene.remote.commit({ other: 'o\n', 'app.txt': text({ five: 'FIVE' }) });
    const commitId = await scene.landTree('topic~1');
    if (empty > 0) await scene.remote.commit();
    await scene.landTree('topic');
    expect((await judgeHead(scene.remote)).verdict).toBe('EXACT');
    expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
      verdict: 'BY_HAND',
      reason: 'earlier_commits',
      findings: [{ kind: 'earlier', path: 'app.txt', commitId }],
    });
  });

  it('is a rebase if one of its steps only removes a line that the file has again elsewhere', async () => {
    const repeated = text({ two: 'return', nine: 'return' });
    const anchorCommitId = await scene.remote.commit({ 'app.txt': repeated });
    await scene.topic({ 'app.txt': repeated.replace('return\n', '') }, { new: 'n\n' });
    await scene.remote.commit({ other: 'o\n' });
    await scene.remote.cherryPick('topic~1', 'topic');
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual(['SAME_CHANGE rebased']);
  });

  it('lacks nothing if the source had merged the target', async () => {
    await scene.topic(first);
    await scene.remote.commit({ other: 'o\n' });
    await scene.remote.switch('topic');
    const one = await scene.remote.head();
    await scene.remote.merge('main');
    const two = await scene.remote.commit({ 'app.txt': text({ two: 'TWO!' }) });
    await scene.remote.switch('main');
    await scene.remote.commit({ more: 'm\n' });
    await scene.remote.cherryPick(one, two);
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rebased']);
  });

  it('lacks nothing if the source had merged the target, and others landed between its commits', async () => {
    await scene.topic(first);
    const one = await scene.remote.git('rev-parse', 'topic');
    const anchorCommitId = await scene.remote.commit({ 'app.txt': text({ twelve: 'TWELVE' }) });
    await scene.remote.switch('topic');
    await scene.remote.merge('main');
    const two = await scene.remote.commit({ 'app.txt': text({ two: 'TWO!', twelve: 'TWELVE' }) });
    await scene.remote.switch('main');
    await scene.remote.cherryPick(one);
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO', seven: 'SEVEN', twelve: 'TWELVE' }) });
    await scene.remote.cherryPick(two);
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual(['SAME_CHANGE rebased']);
  });

  it('lacks what others took back between its commits, if they touched a line of it as well', async () => {
    const lines = (last: string) => `${'added\n'.repeat(30)}${last}`;
    await scene.topic({ 'app.txt': text({ five: lines('five') }) }, { 'lib/util.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ other: 'o\n' });
    await scene.remote.cherryPick('topic~1');
    await scene.remote.commit({ 'app.txt': text({ five: 'FIVE' }) });
    await scene.remote.cherryPick('topic');
    expect((await verdictOf(scene.remote))[0]).toBe('DIVERGENT source_change_missing');
  });

  it('lacks nothing if the target had the change of its first commit before', async () => {
    await scene.topic(first, { 'lib/util.txt': text({ two: 'TWO' }) }, { new: 'new\n' });
    const anchorCommitId = await scene.remote.commit(first);
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO', ten: 'TEN' }) });
    await scene.remote.cherryPick('topic~1', 'topic');
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual(['SAME_CHANGE rebased']);
  });

  it('is BY_HAND, with the commit, if others brought the change of its first commit since the anchor', async () => {
    await scene.topic(first, { 'lib/util.txt': text({ two: 'TWO' }) }, { new: 'new\n' });
    const anchorCommitId = await scene.remote.commit({ other: 'o\n' });
    const commitId = await scene.remote.commit({ ...first, evil: 'evil\n' });
    await scene.remote.cherryPick('topic~1', 'topic');
    expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
      verdict: 'BY_HAND',
      reason: 'earlier_commits',
      findings: [{ kind: 'earlier', path: 'app.txt', commitId }],
    });
  });

  it('lacks nothing if it has 40 commits', async () => {
    await scene.topic(...Array.from({ length: 40 }, (_, i) => ({ 'app.txt': text({ two: `TWO ${i}` }) })));
    await scene.remote.commit({ other: 'o\n' });
    await scene.remote.cherryPick('main..topic');
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rebased']);
  });

  it("is DIVERGENT if the conflict of its first commit was decided without the source's line", async () => {
    await scene.topic(first, second);
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei TWO' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei TWO', nine: 'NINE' }) });
    expect(await verdictOf(scene.remote)).toEqual([
      'DIVERGENT source_change_missing',
      'missing app.txt:2-2 source',
    ]);
  });

  it("is BY_HAND if the conflict of its first commit was decided with the source's line", async () => {
    await scene.topic(first, second);
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei\nby hand\nTWO' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei\nby hand\nTWO', nine: 'NINE' }) });
    expect(await verdictOf(scene.remote)).toEqual([
      'BY_HAND conflict_resolved',
      'by_hand app.txt:2-4 landed',
    ]);
  });

  it('is judged in the time of a verification, however many ways to read its steps there are', async () => {
    await scene.topic(first);
    await scene.remote.commit({ ...first, other: 'o\n' });
    await scene.remote.switch('topic');
    await scene.remote.merge('main');
    const merge = await scene.remote.head();
    for (let i = 0; i < 24; i += 1) await scene.remote.commit({ [`new/${i}`]: `${i}\n` });
    await scene.remote.switch('main');
    const anchorCommitId = await scene.remote.commit({ 'app.txt': text({ two: 'TWO', ten: 'TEN' }) });
    await scene.remote.cherryPick(`${merge}..topic`);
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual(['SAME_CHANGE rebased']);
  });

  it('is not DIVERGENT if the target edited and moved the file that its first commit deletes', async () => {
    const deleted = { 'app.txt': null };
    await scene.topic(deleted, { new: 'new\n' });
    await scene.remote.commit({ other: 'o\n', 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ more: 'm\n', 'app.txt': null, 'moved.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ 'moved.txt': null, new: 'new\n' });
    expect((await verdictOf(scene.remote))[0]).toBe('BY_HAND conflict_resolved');
  });
});

describe('an earlier commit of a source that landed commit by commit', () => {
  const landWith = async (more: FileChanges): Promise<string> => {
    await scene.topic(first, second);
    const anchorCommitId = await scene.remote.commit({ other: 'o\n' });
    await scene.remote.commit({ ...first, ...more });
    await scene.remote.git('cherry-pick', 'topic');
    return anchorCommitId;
  };

  it.each<[string, FileChanges]>([
    ['another file', { evil: 'evil\n' }],
    ['another line', { 'app.txt': text({ two: 'TWO', six: 'six\nevil' }) }],
  ])('is named if it had %s', async (_what, more) => {
    const anchorCommitId = await landWith(more);
    expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
      verdict: 'BY_HAND',
      reason: 'earlier_commits',
      findings: [
        { kind: 'earlier', path: 'app.txt', commitId: await scene.remote.git('rev-parse', 'HEAD~1') },
      ],
    });
  });

  it("is no matter if others pushed before it, and nothing of the source's", async () => {
    await scene.topic(first, second);
    const anchorCommitId = await scene.remote.commit({ other: 'o\n' });
    await scene.remote.commit(first);
    await scene.remote.commit({ 'lib/util.txt': text({ one: 'ONE' }) });
    await scene.remote.commit(second);
    expect((await verdictOf(scene.remote, { anchorCommitId }))[0]).toBe('SAME_CHANGE rebased');
  });
});
