import { LandingScene, twelveLines as text } from '@plat/testing';
import { judgeHead, judgeReconciled, verdictOf } from './ask-content';

/** Each case runs git many times, which takes its time on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

describe('a squash, its revert and its second landing', () => {
  beforeEach(() => scene.topic({ 'app.txt': text({ two: 'TWO' }), new: 'new\n' }));

  it('are no false alarm', async () => {
    const first = await scene.remote.squash('topic');
    await scene.remote.revert(first);
    const second = await scene.remote.squash('topic');
    expect(await verdictOf(scene.remote)).toEqual(['EXACT']);
    await scene.remote.commit();
    expect(await judgeHead(scene.remote, { anchorCommitId: first })).toMatchObject({
      verdict: 'EXACT',
      landedCommitId: second,
    });
  });

  it("are none with the target's rename", async () => {
    const first = await scene.remote.squash('topic');
    await scene.remote.commit({ 'app.txt': null, 'moved.txt': text({ two: 'TWO' }) });
    await scene.remote.revert(first);
    await scene.remote.squash('topic');
    expect(await verdictOf(scene.remote)).toEqual(['EXACT']);
  });

  it("are none with a formatter's output", async () => {
    const formatted = { 'app.txt': text({ two: '  TWO' }), new: '"new"\n' };
    const first = await scene.squash(formatted);
    expect(await verdictOf(scene.remote)).toEqual([
      'UNKNOWN layout',
      'altered app.txt:2-2 landed',
      'altered new:1-1 landed',
    ]);
    await scene.remote.revert(first);
    await scene.squash(formatted);
    const [verdict] = await verdictOf(scene.remote);
    expect(verdict).toBe('UNKNOWN layout');
  });

  it('are none where a contradiction was decided for the source, whose last commit alone is in none', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) }, { 'lib/util.txt': text({ nine: 'NINE' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }), other: 'other\n' });
    const landing = { 'app.txt': text({ two: 'TWO' }), 'lib/util.txt': text({ nine: 'NINE' }) };
    await scene.remote.revert(await scene.remote.commit(landing));
    await scene.remote.commit(landing);
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE conflict_resolved']);
  });

  it('are none where the target was formatted meanwhile', async () => {
    const first = await scene.remote.squash('topic');
    await scene.remote.revert(first);
    await scene.remote.commit({ 'app.txt': text({ one: '  one', two: '  two', three: '  three' }) });
    await scene.remote.commit({
      'app.txt': text({ one: '  one', two: '  TWO', three: '  three' }),
      new: 'new\n',
    });
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE conflict_resolved']);
  });
});

describe('a rename alone is no false alarm', () => {
  const moved = { 'app.txt': null, 'moved.txt': text({ two: 'TWO' }) };

  it('in two steps, rebased', async () => {
    await scene.topic(moved, { 'moved.txt': null, 'moved/again.txt': text({ two: 'TWO', nine: 'NINE' }) });
    await scene.remote.commit({ 'app.txt': text({ five: 'FIVE' }) });
    await scene.remote.cherryPick('main..topic');
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rename']);
  });

  it('where the edit landed in the old place, beside the renamed file', async () => {
    await scene.topic(moved);
    await scene.remote.commit({ 'app.txt': text({ five: 'FIVE' }) });
    await scene.remote.commit({ 'moved.txt': text({ two: 'TWO' }) });
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rename']);
  });

  it('where too little of the file is left for git to see it', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    const rewritten = Array.from({ length: 30 }, (_, line) => `rewritten line ${line}\n`).join('');
    await scene.remote.commit({ 'app.txt': null, 'moved.txt': text() + rewritten });
    await scene.remote.commit({ 'moved.txt': text({ two: 'TWO' }) + rewritten });
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rename']);
  });

  it('nor does it where somebody put a contradiction in it together', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    const rewritten = Array.from({ length: 30 }, (_, line) => `rewritten line ${line}\n`).join('');
    await scene.remote.commit({ 'app.txt': null, 'moved.txt': text({ three: 'drei' }) + rewritten });
    await scene.remote.commit({ 'moved.txt': text({ two: 'TWO', three: 'drei' }) + rewritten });
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rename']);
  });

  it('of a folder, to which the other side added a file', async () => {
    await scene.topic({ 'lib/util.txt': null, 'src/util.txt': text() });
    await scene.remote.commit({ 'lib/other.txt': 'other\n' });
    await scene.remote.commit({
      'lib/util.txt': null,
      'lib/other.txt': null,
      'src/util.txt': text(),
      'src/other.txt': 'other\n',
    });
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rename']);
  });

  it('by both sides, to other names', async () => {
    await scene.topic(moved);
    await scene.remote.commit({ 'app.txt': null, 'elsewhere.txt': text({ five: 'FIVE' }) });
    await scene.remote.commit({ 'elsewhere.txt': null, 'moved.txt': text({ two: 'TWO', five: 'FIVE' }) });
    const [verdict] = await verdictOf(scene.remote);
    expect(verdict).toMatch(/^(SAME_CHANGE|UNKNOWN)/);
  });
});

describe('a source that landed in parts', () => {
  const commits: Parameters<LandingScene['topic']> = [
    { 'lib/util.txt': text({ nine: 'NINE' }), draft: 'draft\n' },
    { 'lib/util.txt': text(), draft: null, 'app.txt': text({ two: 'TWO' }) },
  ];

  it('as a rebase of which the last commit takes back what the first did', async () => {
    await scene.topic(...commits);
    await scene.remote.commit({ other: 'other\n' });
    await scene.remote.cherryPick('main..topic');
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rebased']);
  });

  it('stacked on a review that was squashed before, and edited over since', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) }, { 'lib/util.txt': text({ nine: 'NINE' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO, over' }) });
    await scene.remote.commit({ 'lib/util.txt': text({ nine: 'NINE' }) });
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rebased']);
  });

  it('but not where it deleted a file first, which the target had only moved', async () => {
    await scene.topic({ 'lib/util.txt': null }, { 'app.txt': text({ two: 'TWO' }) });
    const moved = { 'lib/util.txt': null, 'src/util.txt': text() };
    await scene.remote.commit({ ...moved, 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ 'src/util.txt': null, 'app.txt': text({ two: 'TWO and zwei' }) });
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE conflict_resolved']);
  });

  it('but not where the part before was reverted, or never came', async () => {
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
  it('may hold what other reviews brought: that is not told from here', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.squash({ other: 'other\n' });
    expect(await judgeReconciled(scene.remote)).toMatchObject({
      verdict: 'UNKNOWN',
      reason: 'extra_content',
    });
  });

  it('must not have undone anything all the same', async () => {
    await scene.remote.commit({ 'lib/util.txt': text({ one: 'ONE' }) });
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ 'lib/util.txt': text({ one: 'ONE', nine: 'NINE' }) });
    await scene.squash({ 'lib/util.txt': text({ one: 'ONE' }) });
    expect(await judgeReconciled(scene.remote)).toMatchObject({
      verdict: 'DIVERGENT',
      reason: 'target_change_undone',
    });
  });

  it('is the one that stands where it was reverted before', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.revert(await scene.squash({ other: 'other\n' }));
    const second = await scene.squash();
    await scene.remote.commit({ later: 'later\n' });
    expect(await judgeReconciled(scene.remote)).toMatchObject({ verdict: 'EXACT', commitId: second });
  });
});
