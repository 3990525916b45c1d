import { LandingScene, twelveLines as text } from '@plat/testing';
import { judgeHead, judgeReconciled, verdictOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

const land = (id: string) => scene.remote.git('reset', '--quiet', '--hard', id);

describe('the steps of a rebase are not sound', () => {
  it('if one of them spans a merge, with work of the target that others took back', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    const taken = await scene.remote.commit({ 'lib/util.txt': text({ five: 'BUGGY' }) });
    await scene.remote.switch('topic');
    await scene.remote.merge('main');
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO', nine: 'NINE' }) });
    await scene.remote.switch('main');
    await scene.remote.revert(taken);
    const landed = {
      'app.txt': text({ two: 'TWO', nine: 'NINE' }),
      'lib/util.txt': text({ five: 'BUGGY' }),
    };
    await scene.remote.commit(landed);
    expect((await verdictOf(scene.remote))[0]).toBe('DIVERGENT target_change_undone');
  });

  it('if the reported commit drops one that landed in a file that the target had moved', async () => {
    await scene.topic({ 'lib/util.txt': text({ five: 'five\ncheck\nstep' }) }, { added: 'a\n' });
    await scene.remote.commit({ 'lib/util.txt': null, 'src/util.txt': text() });
    await scene.remote.cherryPick('topic~1', 'topic');
    await scene.remote.commit({ 'src/util.txt': text({ five: 'five\ncheck', six: '', seven: '' }) });
    expect((await verdictOf(scene.remote))[0]).toMatch(/^(DIVERGENT|UNKNOWN)/);
  });

  it('if others replaced a line of the source between them', async () => {
    await scene.topic(
      { 'app.txt': text({ five: 'five\nif (!allowed) throw' }) },
      { 'lib/util.txt': text({ two: 'TWO' }) },
    );
    await scene.remote.commit({ other: 'o\n' });
    await scene.remote.cherryPick('topic~1');
    await scene.remote.commit({ 'app.txt': text({ five: 'five\n// nothing' }) });
    await scene.remote.cherryPick('topic');
    const missing = ['DIVERGENT source_change_missing', 'missing app.txt:6-6 source'];
    expect(await verdictOf(scene.remote)).toEqual(missing);
  });
});

it('a rebase is BY_HAND, with the commit, if its first step only removes lines and has more', async () => {
  const removed = text().replace('two\n', '');
  await scene.topic({ 'app.txt': removed }, { 'lib/util.txt': text({ two: 'TWO' }) }, { new: 'n\n' });
  const anchorCommitId = await scene.remote.commit({ other: 'o\n' });
  const commitId = await scene.remote.commit({ 'app.txt': removed, extra: 'e\n' });
  await scene.remote.cherryPick('topic~1', 'topic');
  expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
    verdict: 'BY_HAND',
    reason: 'earlier_commits',
    findings: [{ kind: 'earlier', path: 'app.txt', commitId }],
  });
});

it('a rebase is BY_HAND, with the commit, if its first step changes no line with a word, and has more', async () => {
  const first = text().replace('two\n', 'two\n}\n');
  await scene.topic({ 'app.txt': first }, { 'lib/util.txt': text({ two: 'TWO' }) }, { new: 'n\n' });
  const anchorCommitId = await scene.remote.commit({ other: 'o\n' });
  const commitId = await scene.remote.commit({ 'app.txt': first, extra: 'e\n' });
  await scene.remote.cherryPick('topic~1', 'topic');
  expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
    verdict: 'BY_HAND',
    reason: 'earlier_commits',
    findings: [{ kind: 'earlier', path: 'app.txt', commitId }],
  });
});

it('a commit of others is no landing of a source that changes nothing', async () => {
  await scene.remote.git('switch', '--quiet', '--create', 'topic');
  await scene.remote.git('commit', '--quiet', '--allow-empty', '--message=empty');
  await scene.remote.switch('main');
  await scene.remote.commit({ extra: 'e\n' });
  expect(await verdictOf(scene.remote)).toEqual(['UNKNOWN landing_not_found']);
});

it('a merge of the source that adds more is DIVERGENT, although the target had the change before', async () => {
  await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
  await scene.remote.commit({ work: 'w\n' });
  await scene.remote.cherryPick('topic');
  const onto = await scene.remote.head();
  await scene.remote.commit({ extra: 'e\n' });
  await land(await scene.remote.git('commit-tree', 'main^{tree}', '-p', onto, '-p', 'topic', '-m', 'merge'));
  const extra = ['DIVERGENT extra_content', 'extra extra landed'];
  expect(await verdictOf(scene.remote)).toEqual(extra);
});

describe('a merge that has the source first, and drops the work of the target', () => {
  it('is DIVERGENT, even if the source itself or a later commit was reported', async () => {
    const anchorCommitId = await scene.remote.head();
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    const work = await scene.remote.commit({ work: 'others\n' });
    const parents = ['-p', 'topic', '-p', work];
    await land(await scene.remote.git('commit-tree', 'topic^{tree}', ...parents, '-m', 'merge'));
    const dropped = ['DIVERGENT target_change_undone', 'undone work target'];
    expect(await verdictOf(scene.remote)).toEqual(dropped);
    expect((await judgeReconciled(scene.remote)).verdict).toBe('DIVERGENT');
    const sourceTip = await scene.remote.git('rev-parse', 'topic');
    const reported = { commitId: sourceTip, targetBranch: 'main' };
    expect(await judgeHead(scene.remote, reported)).toMatchObject({ verdict: 'DIVERGENT' });
    await scene.remote.commit({ foreign: 'f\n' });
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual(dropped);
  });
});

it("the source's tip is DIVERGENT if it was reported, and a merge brought nothing of it", async () => {
  await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
  await scene.remote.commit({ work: 'w\n' });
  await scene.remote.git('merge', '--quiet', '--strategy', 'ours', '--no-edit', 'topic');
  const reported = { commitId: await scene.remote.git('rev-parse', 'topic'), targetBranch: 'main' };
  expect(await judgeHead(scene.remote, reported)).toMatchObject({
    verdict: 'DIVERGENT',
    landedCommitId: await scene.remote.head(),
  });
});

it('a squash on a side branch is no landing if the merge of that branch dropped it', async () => {
  await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
  await scene.remote.switch('side', 'main');
  const commitId = await scene.squash();
  await scene.remote.switch('main');
  await scene.remote.commit({ work: 'w\n' });
  await scene.remote.git('branch', 'kept', 'main');
  await scene.remote.git('merge', '--quiet', '--strategy', 'ours', '--no-edit', 'side');
  const reported = { commitId, targetBranch: 'main' };
  expect(await verdictOf(scene.remote, reported)).toEqual(['UNKNOWN landing_not_found']);
  await scene.remote.switch('kept');
  await scene.remote.merge('side');
  await scene.remote.git('branch', '--force', 'main', 'kept');
  expect(await verdictOf(scene.remote, reported)).toEqual(['EXACT']);
});

it('a merge commit that changes nothing is no landing', async () => {
  await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
  await scene.remote.switch('side', 'main');
  await scene.remote.commit({ side: 's\n' });
  await scene.remote.switch('main');
  await scene.squash({ evil: 'evil\n' });
  const parents = ['-p', 'main', '-p', 'side'];
  await land(await scene.remote.git('commit-tree', 'main^{tree}', ...parents, '-m', 'merge'));
  expect(await verdictOf(scene.remote)).toEqual(['UNKNOWN landing_not_found']);
});

describe('the markers of a conflict are found', () => {
  const documented = '<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other\n';

  it.each([
    ['all', '<<<<<<< main\nMAIN\n=======\nTOPIC\n>>>>>>> topic'],
    ['the last ones alone', 'MAIN\n=======\nTOPIC\n>>>>>>> topic'],
  ])('below documented ones: %s', async (_, marked) => {
    await scene.remote.commit({ 'doc.md': documented + text() });
    await scene.topic({ 'doc.md': documented + text({ nine: 'TOPIC' }) });
    await scene.remote.commit({ 'doc.md': documented + text({ nine: 'MAIN' }) });
    await scene.remote.commit({ 'doc.md': documented + text({ nine: marked }) });
    expect((await verdictOf(scene.remote))[0]).toBe('DIVERGENT extra_content');
  });

  it('in a file that both sides moved', async () => {
    await scene.topic({ 'app.txt': null, 'b.txt': text({ two: 'TOPIC' }) });
    await scene.remote.commit({ 'app.txt': null, 'c.txt': text({ two: 'MAIN' }) });
    await scene.landTree((await scene.remote.mergeTree('main', 'topic')).tree);
    expect((await verdictOf(scene.remote))[0]).toBe('DIVERGENT extra_content');
  });
});

describe("git's own merge is EXACT", () => {
  it('if one side moved a submodule, and the other one moved it forward', async () => {
    await scene.remote.commit({ sub: { submodule: '1'.repeat(40) } });
    await scene.topic({ sub: { submodule: '2'.repeat(40) } });
    await scene.remote.git('rm', '--quiet', '--cached', 'sub');
    await scene.remote.commit({ moved: { submodule: '1'.repeat(40) } });
    await scene.landTree((await scene.remote.mergeTree('main', 'topic')).tree);
    expect(await verdictOf(scene.remote)).toEqual(['EXACT']);
  });
});
