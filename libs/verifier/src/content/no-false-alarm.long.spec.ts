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
      verdict: 'EXACT',
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

  it('raise none if a formatter ran on both landings', async () => {
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

  it('raise none if a conflict was decided for the source, whose last commit alone has no conflict', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) }, { 'lib/util.txt': text({ nine: 'NINE' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }), other: 'other\n' });
    const landing = { 'app.txt': text({ two: 'TWO' }), 'lib/util.txt': text({ nine: 'NINE' }) };
    await scene.remote.revert(await scene.remote.commit(landing));
    await scene.remote.commit(landing);
    expect((await verdictOf(scene.remote))[0]).toBe('SAME_CHANGE conflict_resolved');
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

  it('raise none if the target was formatted meanwhile', async () => {
    const first = await scene.remote.squash('topic');
    await scene.remote.revert(first);
    await scene.remote.commit({ 'app.txt': text({ one: '  one', two: '  two', three: '  three' }) });
    await scene.remote.commit({
      'app.txt': text({ one: '  one', two: '  TWO', three: '  three' }),
      new: 'new\n',
    });
    expect((await verdictOf(scene.remote))[0]).toBe('SAME_CHANGE conflict_resolved');
  });
});

describe('a rename alone raises no false alarm', () => {
  const moved = { 'app.txt': null, 'moved.txt': text({ two: 'TWO' }) };

  it('in two steps, rebased', async () => {
    await scene.topic(moved, { 'moved.txt': null, 'moved/again.txt': text({ two: 'TWO', nine: 'NINE' }) });
    await scene.remote.commit({ 'app.txt': text({ five: 'FIVE' }) });
    await scene.remote.cherryPick('main..topic');
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rename']);
  });

  it('if too little of the file is left for git to see the rename', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    const rewritten = Array.from({ length: 30 }, (_, line) => `rewritten line ${line}\n`).join('');
    await scene.remote.commit({ 'app.txt': null, 'moved.txt': text() + rewritten });
    await scene.remote.commit({ 'moved.txt': text({ two: 'TWO' }) + rewritten });
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rename']);
  });

  it('if it conflicts with an edit and both sides were put together', async () => {
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

  it('of a folder, in which the other side renamed a file that changed too much for git to follow it', async () => {
    const much = Array.from({ length: 40 }, (_, line) => `much ${line}\n`).join('');
    await scene.topic({ 'lib/util.txt': null, 'lib/renamed.txt': text() });
    await scene.remote.commit({ 'lib/util.txt': null, 'src/util.txt': text({ one: much }) });
    await scene.remote.commit({ 'src/renamed.txt': text() });
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

describe('both sides put together are no older state of the target', () => {
  it('if a line that both have between two conflicts is there once', async () => {
    await scene.topic({ 'app.txt': text({ one: 'mine\none', five: 'five\nmore' }) });
    await scene.remote.commit({ 'app.txt': text({ one: 'eins' }) });
    await scene.remote.commit({ 'app.txt': text({ one: 'eins' }).replace('four\nfive\nsix\n', '') });
    await scene.remote.commit({ other: 'other\n' });
    await scene.remote.commit({ 'app.txt': text({ one: 'eins\nmine\none', five: 'five\nmore' }) });
    expect((await verdictOf(scene.remote))[0]).toBe('SAME_CHANGE conflict_resolved');
  });

  it("if the target replaced a line above, which the source's lines keep", async () => {
    const inserted = (name: string) => `${name}\n(\n)\n{\n}`;
    await scene.topic({ 'app.txt': text({ five: `${inserted('mine')}\nfive`, seven: 'SEVEN' }) });
    await scene.remote.commit({ 'app.txt': text({ seven: 'seven\nnew', eight: 'acht' }) });
    await scene.remote.commit({
      'app.txt': text({ five: inserted('others'), seven: 'seven\nnew', eight: 'acht' }),
      other: 'other\n',
    });
    await scene.remote.commit({
      'app.txt': text({
        five: `mine\n${inserted('others')}\nfive`,
        seven: 'SEVEN',
        eight: 'eight\nnew\nacht',
      }),
    });
    expect((await verdictOf(scene.remote))[0]).toBe('SAME_CHANGE conflict_resolved');
  });
});

describe('a file that both sides moved to different paths', () => {
  it("may land at the target's path alone, as it is there", async () => {
    await scene.topic({ 'lib/util.txt': null, 'lib/moved.txt': text(), new: 'new\n' });
    await scene.remote.commit({ 'lib/util.txt': null, 'src/moved.txt': text() });
    await scene.remote.commit({ new: 'new\n' });
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rename']);
  });

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

  it('if it is stacked on a review that was squashed before and then edited over', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) }, { 'lib/util.txt': text({ nine: 'NINE' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO, over' }) });
    await scene.remote.commit({ 'lib/util.txt': text({ nine: 'NINE' }) });
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE rebased']);
  });

  it('and is not rebased if its first commit deletes a file that the target had only moved', async () => {
    await scene.topic({ 'lib/util.txt': null }, { 'app.txt': text({ two: 'TWO' }) });
    const moved = { 'lib/util.txt': null, 'src/util.txt': text() };
    await scene.remote.commit({ ...moved, 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ 'src/util.txt': null, 'app.txt': text({ two: 'TWO and zwei' }) });
    expect((await verdictOf(scene.remote))[0]).toBe('SAME_CHANGE conflict_resolved');
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
  it('may hold content of other reviews, so additional content is UNKNOWN', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.squash({ other: 'other\n' });
    expect(await judgeReconciled(scene.remote)).toMatchObject({
      verdict: 'UNKNOWN',
      reason: 'extra_content',
    });
  });

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
