import { type FileChanges, LandingScene, twelveLines as text } from '@plat/testing';
import { judgeHead, verdictOf, wordsOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => {
  scene = await LandingScene.create();
  await scene.topic({ 'app.txt': text({ two: 'TWO' }) }, { 'app.txt': text({ two: 'TWO', nine: 'NINE' }) });
});
afterEach(() => scene.remote.remove());

const others = (change = 'ONE') => scene.remote.commit({ 'lib/util.txt': text({ one: change }) });

describe('the verdict is on the commit that brought the change, and names both commits', () => {
  it('if an empty commit after it was reported', async () => {
    const anchorCommitId = await others();
    const landedCommitId = await scene.remote.squash('topic');
    const commitId = await scene.remote.commit();
    expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
      verdict: 'SAME_CHANGE',
      reason: 'other_commit',
      commitId,
      landedCommitId,
    });
  });

  it("if another review's commit was reported", async () => {
    const anchorCommitId = await others();
    const landedCommitId = await scene.remote.squash('topic');
    const commitId = await others('more');
    expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
      verdict: 'SAME_CHANGE',
      reason: 'other_commit',
      commitId,
      landedCommitId,
    });
  });

  it('if it came with a merge commit, or as the source itself', async () => {
    const anchorCommitId = await others();
    const merged = await scene.remote.merge('topic');
    await others('more');
    expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
      verdict: 'SAME_CHANGE',
      landedCommitId: merged,
    });
    await scene.remote.switch('main', 'topic~2');
    const anchor = await scene.remote.head();
    await scene.remote.git('merge', '--quiet', '--ff-only', 'topic');
    const tip = await scene.remote.head();
    await others();
    expect(await judgeHead(scene.remote, { anchorCommitId: anchor })).toMatchObject({
      verdict: 'SAME_CHANGE',
      landedCommitId: tip,
    });
  });

  it('but is UNKNOWN if that commit is corrupt', async () => {
    const anchorCommitId = await scene.remote.head();
    await others();
    await scene.landOnWrongBase(anchorCommitId);
    expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
      verdict: 'DIVERGENT',
      builtOnCommitId: anchorCommitId,
    });
    await scene.remote.commit();
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual(['UNKNOWN landing_not_found']);
  });

  it('if a commit between them decided a conflict in another way, and was taken back', async () => {
    const anchorCommitId = await others();
    const landedCommitId = await scene.remote.squash('topic');
    await scene.remote.commit({ 'app.txt': text({ two: 'other', nine: 'NINE' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'another', nine: 'NINE' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO', nine: 'NINE' }) });
    await scene.remote.commit();
    expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
      verdict: 'SAME_CHANGE',
      landedCommitId,
    });
  });

  it('but names only the reported commit if that brought the change', async () => {
    const commitId = await scene.remote.squash('topic');
    const content = await judgeHead(scene.remote, {
      anchorCommitId: await scene.remote.git('rev-parse', 'HEAD~1'),
    });
    expect(content).toMatchObject({ verdict: 'EXACT', commitId });
    expect(content).not.toHaveProperty('landedCommitId');
  });
});

it('a reported commit that only moves a file as the source does is judged itself', async () => {
  await others();
  const files: FileChanges[] = [
    { 'lib/util.txt': null, 'src/util.txt': text({ one: 'ONE' }) },
    { 'src/util.txt': text({ one: 'ONE', nine: 'NINE' }) },
    { 'src/util.txt': null, 'src/moved.txt': text({ one: 'ONE', nine: 'NINE' }) },
  ];
  await scene.topic(...files);
  await scene.remote.commit({ other: 'other\n' });
  await scene.remote.commit(files[0]);
  await scene.remote.commit(files[1]);
  // The last commit of the rebase is made on a commit older than the merge base.
  await scene.remote.commit({ 'src/util.txt': null, 'src/moved.txt': text({ nine: 'NINE' }), other: null });
  expect((await verdictOf(scene.remote))[0]).toMatch(/^DIVERGENT/);
});

describe('a formatted landing is judged itself', () => {
  const formatted = { 'app.txt': text({ two: '  TWO', nine: '  NINE' }) };

  it("if others' commit before it added a line that the source has in another file", async () => {
    await scene.remote.commit({ 'lib/util.txt': text({ one: 'NINE' }) });
    await scene.squash(formatted);
    const content = await judgeHead(scene.remote);
    expect(wordsOf(content)).toEqual([
      'DIVERGENT layout',
      'altered app.txt:2-2 landed',
      'altered app.txt:9-9 landed',
    ]);
    expect(content).not.toHaveProperty('landedCommitId');
  });

  it('if only the formatting was reported', async () => {
    await scene.remote.squash('topic');
    await scene.remote.commit(formatted);
    const content = await judgeHead(scene.remote);
    expect(content).toMatchObject({ verdict: 'DIVERGENT', reason: 'layout' });
    expect(content).not.toHaveProperty('landedCommitId');
  });
});

describe('a commit that was reported after an exact landing', () => {
  const land = {
    'as a squash': () => scene.squash(),
    'as a merge': () => scene.remote.merge('topic'),
    'commit by commit': () => scene.remote.cherryPick('main..topic'),
  };
  const spoiled: [string, FileChanges, string][] = [
    ['drops a hunk', { 'app.txt': text({ nine: 'NINE' }) }, 'DIVERGENT'],
    ['alters a line', { 'app.txt': text({ two: 'TWO', nine: 'over' }) }, 'DIVERGENT'],
    ['drops a hunk and changes another file', { 'app.txt': text({ two: 'TWO' }), more: 'm\n' }, 'DIVERGENT'],
    ['deletes the file', { 'app.txt': null }, 'DIVERGENT'],
  ];
  describe.each(Object.entries(land))('%s', (_how, landIt) => {
    it.each(spoiled)('is not sound if it %s', async (_what, changes) => {
      const anchorCommitId = await others();
      await landIt();
      await scene.remote.commit(changes);
      for (const question of [{ anchorCommitId }, {}]) {
        const { verdict } = await judgeHead(scene.remote, question);
        expect(['DIVERGENT', 'UNKNOWN']).toContain(verdict);
      }
    });

    it('is no matter if it changes other lines', async () => {
      const anchorCommitId = await others();
      await landIt();
      await scene.remote.commit({ 'app.txt': text({ two: 'TWO', five: 'FIVE', nine: 'NINE' }) });
      const { verdict } = await judgeHead(scene.remote, { anchorCommitId });
      expect(['EXACT', 'SAME_CHANGE']).toContain(verdict);
    });
  });

  it.each(spoiled)(
    'has the lines among its findings if it %s after a squash',
    async (_what, changes, expected) => {
      const anchorCommitId = await others();
      await scene.squash();
      await scene.remote.commit(changes);
      expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
        verdict: expected,
        findings: expect.arrayContaining([expect.objectContaining({ path: 'app.txt' })]),
      });
    },
  );

  it('is DIVERGENT if the landed lines were altered between them', async () => {
    const anchorCommitId = await others();
    await scene.squash();
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO', nine: 'over' }) });
    await scene.remote.commit({ more: 'm\n' });
    expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
      verdict: 'DIVERGENT',
      reason: 'source_change_missing',
    });
  });
});

it("a commit that moves a file with a line of the source's brings nothing of the source", async () => {
  await scene.remote.commit({ 'lib/util.txt': text({ one: 'ONE', nine: 'NINE' }) });
  await scene.topic({ 'app.txt': text({ two: 'TWO', nine: 'NINE' }) });
  await scene.remote.commit({ 'lib/util.txt': null, 'src/util.txt': text({ one: 'ONE', nine: 'NINE' }) });
  await scene.remote.commit({ 'app.txt': text({ two: 'zwei', nine: 'neun' }) });
  const content = await judgeHead(scene.remote);
  expect(content).toMatchObject({ verdict: 'DIVERGENT' });
  expect(content).not.toHaveProperty('landedCommitId');
});

describe('if no commit after the anchor brought the change', () => {
  it('the verdict is neither EXACT nor SAME_CHANGE, because the change was there before the anchor', async () => {
    await scene.remote.squash('topic');
    const anchorCommitId = await others();
    await scene.remote.commit();
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual(['UNKNOWN landing_not_found']);
    await others('more');
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual(['UNKNOWN landing_not_found']);
  });

  it('the same holds for a merge commit before the anchor', async () => {
    await scene.remote.merge('topic');
    const anchorCommitId = await others();
    await scene.remote.commit();
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual(['UNKNOWN landing_not_found']);
  });

  it('the missing lines are reported if the change was never there', async () => {
    const anchorCommitId = await scene.remote.head();
    await scene.remote.cherryPick('topic~1');
    await scene.remote.commit();
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual([
      'DIVERGENT source_change_missing',
      'missing app.txt:9-9 source',
    ]);
  });

  it('the missing lines are reported if the target decided otherwise before', async () => {
    const anchorCommitId = await scene.remote.commit({ 'app.txt': text({ two: 'zwei', nine: 'neun' }) });
    await scene.remote.commit();
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual([
      'DIVERGENT source_change_missing',
      'missing app.txt:2-2 source',
      'missing app.txt:9-9 source',
    ]);
  });
});

it('a commit in which two reviews landed is DIVERGENT by the additions of the other one', async () => {
  await scene.remote.git('merge', '--quiet', '--squash', 'topic');
  const anchorCommitId = await scene.remote.commit({ first: 'first\n' });
  expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual([
    'DIVERGENT extra_content',
    'extra first landed',
  ]);
});

it('a foreign commit with the same change and others is no landing', async () => {
  await others();
  const foreign = { 'app.txt': text({ two: 'TWO', nine: 'NINE' }), 'lib/util.txt': text({ one: 'Uno' }) };
  await scene.remote.commit(foreign);
  await scene.remote.commit();
  expect(await verdictOf(scene.remote)).toEqual(['UNKNOWN landing_not_found']);
});

it('a review that adds nothing has no landing, neither the empty commit of its squash nor a later one', async () => {
  await scene.remote.switch('topic', 'main');
  await scene.remote.commit();
  await scene.remote.switch('main');
  const anchorCommitId = await scene.remote.commit({ other: 'other\n' });
  for (let commit = 0; commit < 2; commit += 1) {
    await scene.remote.commit();
    expect(await verdictOf(scene.remote, { anchorCommitId })).toEqual(['UNKNOWN landing_not_found']);
  }
});

it('a folder that both sides moved, and whose files the target also edited, is no landing of the source', async () => {
  const files = { 'lib/one': text(), 'lib/two': text({ six: 'others' }) };
  await scene.remote.commit(files);
  await scene.remote.git('branch', '--force', 'topic', 'main');
  const gone = { 'lib/one': null, 'lib/two': null };
  await scene.remote.switch('topic');
  await scene.remote.commit({ ...gone, 'src/one': files['lib/one'], 'src/two': files['lib/two'] });
  await scene.remote.switch('main');
  const edited = { 'src/one': text({ three: 'ours' }), 'src/two': files['lib/two'] };
  await scene.remote.commit({ ...gone, ...edited, 'app.txt': text({ one: 'ours' }) });
  const landed = await scene.remote.squash('topic');
  expect(await scene.remote.git('diff', 'HEAD~1', landed)).toBe('');
  expect(await verdictOf(scene.remote)).toEqual(['UNKNOWN landing_not_found']);
});
