import { LandingScene, twelveLines as text } from '@plat/testing';
import { judgeHead, verdictOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

describe('a conflict that nobody decided is DIVERGENT', () => {
  const markers = (ours: string, theirs: string) =>
    `<<<<<<< HEAD\n${ours}\n=======\n${theirs}\n>>>>>>> topic`;

  it('if its markers landed', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ 'app.txt': text({ two: markers('zwei', 'TWO') }) });
    expect(await verdictOf(scene.remote)).toEqual(['DIVERGENT extra_content', 'extra app.txt:2-6 landed']);
  });

  it('if its markers landed in a file that both added', async () => {
    await scene.topic({ new: 'mine\n' });
    await scene.remote.commit({ new: 'theirs\n' });
    await scene.remote.commit({ new: `${markers('theirs', 'mine')}\n` });
    expect((await verdictOf(scene.remote))[0]).toBe('DIVERGENT extra_content');
  });

  it('if its lines were deleted', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ 'app.txt': text().replace('two\n', '') });
    expect((await verdictOf(scene.remote))[0]).toBe('DIVERGENT source_change_missing');
  });
});

describe('a conflict decided for an older state is DIVERGENT in spite of white space', () => {
  it.each([
    ['the newline at the end of the file', 'a', 'a\nb', 'a\nc', 'a\nc\n'],
    ['a blank line', text(), text({ two: 'TWO' }), text({ two: 'zwei' }), text({ two: 'zwei\n' })],
    ['an indentation', text(), text({ two: 'TWO' }), text({ two: 'zwei' }), text({ two: '  zwei' })],
  ])('if only white space differs from the target: %s', async (_, base, theirs, ours, landed) => {
    await scene.remote.commit({ list: base });
    await scene.topic({ list: theirs });
    await scene.remote.commit({ list: ours });
    await scene.remote.commit({ list: landed });
    expect((await verdictOf(scene.remote))[0]).toBe('DIVERGENT source_change_missing');
  });

  it('if it is the state of an earlier commit of the source, with a blank line', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) }, { 'app.txt': text({ two: 'TWO fixed' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO\n' }) });
    expect((await verdictOf(scene.remote))[0]).toBe('DIVERGENT source_change_missing');
  });
});

describe('an edit against a deletion', () => {
  const edits = { 'app.txt': text({ two: 'TWO', nine: 'NINE' }) };

  it.each([
    ['without the edit, with a line more', text({ twelve: 'twelve\nmore' })],
    ['with one of its two hunks', text({ two: 'TWO' })],
    ['with another line altered', text({ two: 'TWO', nine: 'NINE', five: 'five, altered' })],
    ['empty', ''],
  ])('is DIVERGENT if the file that the source edits landed %s', async (_, landed) => {
    await scene.topic(edits);
    await scene.remote.commit({ 'app.txt': null });
    await scene.remote.commit({ 'app.txt': landed });
    expect((await verdictOf(scene.remote))[0]).toMatch(/^DIVERGENT/);
  });

  it.each([
    ['as the base with a line more', text({ twelve: 'twelve\nmore' })],
    ["with one of the others' hunks", text({ two: 'TWO' })],
  ])('is DIVERGENT if the file that the source deletes is there %s', async (_, landed) => {
    await scene.topic({ 'app.txt': null, new: 'new\n' });
    await scene.remote.commit(edits);
    await scene.remote.commit({ 'app.txt': landed, new: 'new\n' });
    expect((await verdictOf(scene.remote))[0]).toMatch(/^DIVERGENT/);
  });

  it('is SAME_CHANGE if the file landed as the source edits it', async () => {
    await scene.topic(edits);
    await scene.remote.commit({ 'app.txt': null });
    await scene.remote.commit({ other: 'other\n' });
    await scene.remote.commit(edits);
    expect((await verdictOf(scene.remote))[0]).toBe('SAME_CHANGE conflict_resolved');
  });
});

describe('additions of both sides', () => {
  const list = (...entries: string[]) => ({
    'CHANGES.md': `# Changes\n${entries.map((entry) => `- ${entry}\n`).join('')}`,
  });

  it.each([
    ['source_change_missing', list('t1', 't2', 't3', 'm1', 'm2')],
    ['target_change_undone', list('t1', 't2', 'm1', 'm2', 'm3')],
  ])('are DIVERGENT %s if they were put together without one line', async (reason, landed) => {
    await scene.topic(list('m1', 'm2', 'm3'));
    await scene.remote.commit(list('t1', 't2', 't3'));
    await scene.remote.commit(landed);
    expect((await verdictOf(scene.remote))[0]).toBe(`DIVERGENT ${reason}`);
  });

  it('may have the mode of the source if both added the file', async () => {
    await scene.topic({ 'run.sh': { executable: '#!/bin/sh\nmine\n' } });
    await scene.remote.commit({ 'run.sh': '#!/bin/sh\ntheirs\n' });
    await scene.remote.commit({ 'run.sh': { executable: '#!/bin/sh\ntheirs\nmine\n' } });
    expect((await verdictOf(scene.remote))[0]).toBe('SAME_CHANGE conflict_resolved');
  });
});

describe('a decision that can be read in two ways is UNKNOWN, with the place', () => {
  it("if the target had the source's lines before its own", async () => {
    await scene.topic(
      { 'app.txt': text({ nine: 'NINE' }) },
      { 'app.txt': text({ nine: 'NINE', two: 'TWO' }) },
    );
    await scene.remote.cherryPick('topic');
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO better' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO better', nine: 'NINE' }) });
    expect(await verdictOf(scene.remote)).toEqual([
      'UNKNOWN conflict_resolved',
      'missing app.txt:2-2 source',
    ]);
  });

  it('if a line that both sides added is there once, which an earlier commit of the source lacks', async () => {
    const list = (...entries: string[]) => ({ 'CHANGES.md': `# Changes\n${entries.join('\n')}\n` });
    await scene.topic(list('- mine'), list('- mine', 'both'));
    await scene.remote.commit(list('- first', 'both', '- last'));
    await scene.remote.commit(list('- first', 'both', '- last', '- mine'));
    expect(await verdictOf(scene.remote)).toEqual([
      'UNKNOWN conflict_resolved',
      'missing CHANGES.md:2-3 source',
    ]);
  });

  it('if the source alone was taken, and an older commit of the target has as many conflicts', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }), new: 'mine\n' });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }), new: 'theirs\n' });
    await scene.remote.commit({ 'app.txt': null });
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO' }), new: 'mine\ntheirs\n' });
    expect(await verdictOf(scene.remote)).toEqual(['UNKNOWN conflict_resolved', 'undone app.txt target']);
  });
});

describe('a whole file that an earlier commit of the source explains is DIVERGENT', () => {
  it('if it is the merge of that commit, with its own conflicts decided for the source', async () => {
    const first = { 'app.txt': text({ two: 'TWO' }) };
    const later = { 'app.txt': text({ two: 'TWO', four: 'four\nNEW' }) };
    await scene.topic(first, later);
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei', four: 'four\nneu' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO', four: 'four\nneu' }) });
    expect((await verdictOf(scene.remote))[0]).toBe('DIVERGENT source_change_missing');
  });
});

describe('a landing is UNKNOWN', () => {
  it.each([
    ['the revert itself', false],
    ["another review's commit", true],
  ])('if it was reverted, and the reported commit is %s', async (_, isLater) => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    const anchorCommitId = await scene.remote.commit({ other: 'o\n' });
    await scene.remote.merge('topic');
    await scene.remote.git('revert', '--no-edit', '-m', '1', 'HEAD');
    if (isLater) await scene.remote.commit({ more: 'm\n' });
    expect((await judgeHead(scene.remote, { anchorCommitId })).verdict).toBe('UNKNOWN');
  });

  it('if it was a fast-forward that was reverted', async () => {
    const anchorCommitId = await scene.remote.head();
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.git('merge', '--quiet', '--ff-only', 'topic');
    await scene.remote.git('revert', '--no-edit', 'HEAD');
    expect((await judgeHead(scene.remote, { anchorCommitId })).verdict).toBe('UNKNOWN');
  });

  it('if the source is at an old commit of the target, and there is no anchor', async () => {
    await scene.topic();
    await scene.remote.commit({ other: 'o\n' });
    await scene.remote.commit({ more: 'm\n' });
    expect((await verdictOf(scene.remote))[0]).toBe('UNKNOWN landing_not_found');
  });
});

describe("if another review's merge commit is reported, the landing before it is found", () => {
  it.each(['squash', 'merge'] as const)('made by a %s', async (way) => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    const anchorCommitId = await scene.remote.commit({ other: 'o\n' });
    await scene.remote.switch('foreign', 'main');
    await scene.remote.commit({ foreign: 'f\n' });
    await scene.remote.switch('main');
    const landedCommitId = await scene.remote[way]('topic');
    await scene.remote.merge('foreign');
    expect(await judgeHead(scene.remote, { anchorCommitId })).toMatchObject({
      verdict: 'EXACT',
      landedCommitId,
    });
  });
});

describe('the place of each decision is named', () => {
  const foreign = Array.from({ length: 200 }, (_, line) => `foreign ${line}`).join('\n');

  it('by its lines, whatever a person wrote there', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }), new: 'new\n' });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei' }) });
    await scene.remote.commit({ 'app.txt': text({ two: foreign }), new: 'new\n' });
    expect(await verdictOf(scene.remote)).toEqual([
      'SAME_CHANGE conflict_resolved',
      'by_hand app.txt:2-201 landed',
    ]);
  });

  it('for each of several conflicts', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO', nine: 'NINE' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei', nine: 'neun' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei\nTWO', nine: 'NINE' }) });
    expect(await verdictOf(scene.remote)).toEqual([
      'SAME_CHANGE conflict_resolved',
      'by_hand app.txt:2-3 landed',
      'by_hand app.txt:10-10 landed',
    ]);
  });

  it('as a file, if a person had to choose the whole of it', async () => {
    const edited = { 'app.txt': text({ two: 'TWO' }) };
    await scene.topic(edited);
    await scene.remote.commit({ 'app.txt': null });
    await scene.remote.commit({ other: 'other\n' });
    await scene.remote.commit(edited);
    expect(await verdictOf(scene.remote)).toEqual(['SAME_CHANGE conflict_resolved', 'by_hand app.txt']);
  });
});
