import { type FileChanges, LandingScene, twelveLines as text } from '@plat/testing';
import { judgeHead, verdictOf } from '../judge/ask-content';

/** Milliseconds of a case: each runs git many times, which is slow on a busy machine. */
jest.setTimeout(60_000);

let scene: LandingScene;
beforeEach(async () => (scene = await LandingScene.create()));
afterEach(() => scene.remote.remove());

describe('a conflict without a decision is DIVERGENT', () => {
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

describe('a conflict of which one side landed', () => {
  const [theirs, ours] = [{ 'app.txt': text({ two: 'TWO' }) }, { 'app.txt': text({ two: 'zwei' }) }];

  it('is DIVERGENT, with its lines, if that is the side of the target', async () => {
    await scene.topic(theirs);
    await scene.remote.commit(ours);
    await scene.remote.commit({ other: 'other\n' });
    expect(await verdictOf(scene.remote)).toEqual([
      'DIVERGENT source_change_missing',
      'missing app.txt:2-2 source',
      'extra other landed',
    ]);
  });

  it('is BY_HAND, with its lines, if that is the side of the source', async () => {
    await scene.topic(theirs);
    await scene.remote.commit(ours);
    await scene.remote.commit(theirs);
    expect(await verdictOf(scene.remote)).toEqual([
      'BY_HAND conflict_resolved',
      'by_hand app.txt:2-2 landed',
    ]);
  });

  it('is DIVERGENT if one of several conflicts has the side of the target', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO', nine: 'NINE' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei', nine: 'neun' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'TWO', nine: 'neun' }) });
    expect(await verdictOf(scene.remote)).toEqual([
      'DIVERGENT source_change_missing',
      'missing app.txt:9-9 source',
    ]);
  });
});

describe('an edit against a deletion', () => {
  const edits = { 'app.txt': text({ two: 'TWO', nine: 'NINE' }) };
  const deletes = { 'app.txt': null };

  it.each([
    ['BY_HAND', 'the source edits the file, and it is there', edits, deletes, edits],
    ['BY_HAND', 'the source edits it, and another one is there', edits, deletes, { 'app.txt': 'other\n' }],
    ['DIVERGENT', 'the source edits it, and it is gone', edits, deletes, { more: 'm\n' }],
    ['BY_HAND', 'the source deletes it, and it is gone', deletes, edits, deletes],
    ['DIVERGENT', 'the source deletes it, and it is as the target edits it', deletes, edits, { more: 'm\n' }],
  ])('is %s if %s', async (expected, _what, source, others, landed) => {
    await scene.topic(source);
    await scene.remote.commit(others);
    await scene.remote.commit(landed);
    expect((await verdictOf(scene.remote))[0]).toMatch(new RegExp(`^${expected}`));
  });
});

it('a file that both sides added may have the mode of either', async () => {
  await scene.topic({ 'run.sh': { executable: '#!/bin/sh\nmine\n' } });
  await scene.remote.commit({ 'run.sh': '#!/bin/sh\ntheirs\n' });
  await scene.remote.commit({ 'run.sh': { executable: '#!/bin/sh\ntheirs\nmine\n' } });
  expect((await verdictOf(scene.remote))[0]).toBe('BY_HAND conflict_resolved');
});

it.each([
  ['source', '1'],
  ['target', '2'],
  ['neither', '3'],
])('a submodule that both sides moved is BY_HAND if it is at the commit of: %s', async (_, landed) => {
  const at = (digit: string): FileChanges => ({ sub: { submodule: digit.repeat(40) } });
  await scene.remote.commit(at('4'));
  await scene.topic({ ...at('1'), new: 'new\n' });
  await scene.remote.commit(at('2'));
  await scene.remote.commit({ ...at(landed), new: 'new\n' });
  expect(await verdictOf(scene.remote)).toEqual(['BY_HAND conflict_resolved', 'by_hand sub']);
});

describe('a landing that was reverted', () => {
  it.each([
    ['DIVERGENT if the revert', false],
    ["UNKNOWN if another review's commit", true],
  ])('is %s was reported', async (verdict, isLater) => {
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    const anchorCommitId = await scene.remote.commit({ other: 'o\n' });
    await scene.remote.merge('topic');
    await scene.remote.git('revert', '--no-edit', '-m', '1', 'HEAD');
    if (isLater) await scene.remote.commit({ more: 'm\n' });
    expect(verdict).toContain((await judgeHead(scene.remote, { anchorCommitId })).verdict);
  });

  it('is DIVERGENT if it was a fast-forward', async () => {
    const anchorCommitId = await scene.remote.head();
    await scene.topic({ 'app.txt': text({ two: 'TWO' }) });
    await scene.remote.git('merge', '--quiet', '--ff-only', 'topic');
    await scene.remote.git('revert', '--no-edit', 'HEAD');
    expect((await judgeHead(scene.remote, { anchorCommitId })).verdict).toBe('DIVERGENT');
  });

  it('is UNKNOWN if the source is at an old commit of the target, and there is no anchor', async () => {
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
      verdict: 'SAME_CHANGE',
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
      'BY_HAND conflict_resolved',
      'by_hand app.txt:2-201 landed',
    ]);
  });

  it('for each of several conflicts', async () => {
    await scene.topic({ 'app.txt': text({ two: 'TWO', nine: 'NINE' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei', nine: 'neun' }) });
    await scene.remote.commit({ 'app.txt': text({ two: 'zwei\nTWO', nine: 'NINE' }) });
    expect(await verdictOf(scene.remote)).toEqual([
      'BY_HAND conflict_resolved',
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
    expect(await verdictOf(scene.remote)).toEqual(['BY_HAND conflict_resolved', 'by_hand app.txt']);
  });
});
