import { git } from '@plat/testing';
import { type Case, HandMade, lines } from './witness-case';

let made: HandMade;
beforeAll(async () => {
  made = await HandMade.open();
});
afterAll(() => made.workshop.remove());

const file = lines();

describe('a clean merge', () => {
  const moved = { 'src/f': file, 'src/g': file, README: 'r\n' };
  it.each<[string, Case, string]>([
    [
      'of a folder that moves one level up is exact',
      {
        base: { 'packages/src/f': file, 'packages/src/g': file, README: 'r\n' },
        target: [{ 'packages/src/f': file, 'packages/src/g': file, README: 'r\n', other: 'o\n' }],
        source: [moved],
        landed: [{ ...moved, other: 'o\n' }],
      },
      'EXACT',
    ],
    [
      'with a new file at a third place is divergent',
      {
        base: { 'd/f': file, 'd/g': lines({ 1: '' }), 'docs/r': 'r\n' },
        target: [{ 'e/f': file, 'e/g': lines({ 1: '' }), 'docs/r': 'r\n' }],
        source: [{ 'd/f': file, 'd/g': lines({ 1: '' }), 'd/n': 'new\n', 'docs/r': 'r\n' }],
        landed: [{ 'e/f': file, 'e/g': lines({ 1: '' }), 'docs/n': 'new\n', 'docs/r': 'r\n' }],
      },
      'DIVERGENT',
    ],
    [
      'leaves a new file in the old folder that the target moved',
      {
        base: { 'old/t/f': file, 'old/t/g': lines({ 1: '' }), 'old/r': 'r\n' },
        target: [{ 'new/t/f': file, 'new/t/g': lines({ 1: '' }), 'old/r': 'r\n' }],
        source: [{ 'old/t/f': file, 'old/t/g': lines({ 1: '' }), 'old/t/n': 'new\n', 'old/r': 'r\n' }],
        landed: [{ 'new/t/f': file, 'new/t/g': lines({ 1: '' }), 'old/t/n': 'new\n', 'old/r': 'r\n' }],
      },
      'EXACT',
    ],
    [
      'of a mode that one side changed has the mode',
      {
        base: { f: file },
        target: [{ f: lines({ 30: 'x' }) }],
        source: [{ f: { mode: '100755', content: file } }],
        landed: [{ f: { mode: '100755', content: lines({ 30: 'x' }) } }],
      },
      'EXACT',
    ],
    [
      'without the mode that one side changed is divergent',
      {
        base: { f: file },
        target: [{ f: lines({ 30: 'x' }) }],
        source: [{ f: { mode: '100755', content: lines({ 5: 'five' }) } }],
        landed: [{ f: lines({ 5: 'five', 30: 'x' }) }],
      },
      'DIVERGENT',
    ],
  ])('%s', async (_, each, verdict) => {
    expect(await made.verdictOf(each)).toBe(verdict);
  });

  it.each([
    ['files of the mode 100664', 'f', '100664'],
    ['folders of the mode 040000', 'd', '040000'],
  ])('of %s is exact', async (_, name, mode) => {
    const id = await made.commit({ 'd/f': file, 'd/g': file });
    const entry = async (revision: string) =>
      (await git(made.workshop.directory, ['rev-parse', revision])).trim();
    const object = await entry(name === 'd' ? `${id}:d` : `${id}:d/f`);
    const names = name === 'd' ? ['d'] : ['f', 'g'];
    const tree = Buffer.concat(
      names.map((each) => Buffer.concat([Buffer.from(`${mode} ${each}\0`), Buffer.from(object, 'hex')])),
    );
    const hashing = ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally'];
    const odd = (await git(made.workshop.directory, hashing, { input: tree })).trim();
    const base = (await git(made.workshop.directory, ['commit-tree', odd, '-m', 'base'])).trim();
    const in_ = (text: string) => (name === 'd' ? `d/${text}` : text);
    const [f, g] = [lines({ 30: 'x' }), lines({ 5: 'five' })];
    const sourceTip = await made.commit({ [in_('f')]: file, [in_('g')]: g }, base);
    const onto = await made.commit({ [in_('f')]: f, [in_('g')]: file }, base);
    const commitId = await made.commit({ [in_('f')]: f, [in_('g')]: g }, onto);
    expect(await made.judge({ sourceTip, commitId })).toEqual({ verdicts: ['EXACT'], because: 'as merged' });
  });
});

describe('steps and other commits', () => {
  const [one, two] = [lines({ 5: 'five' }), lines({ 5: 'five', 20: 'twenty' })];
  const source = [{ f: one }, { f: two }];
  const other = { other: 'o\n' };
  it.each<[string, Case, string]>([
    ['picks are steps', { base: { f: file }, source, landed: source, anchored: true }, 'SAME_CHANGE'],
    [
      'a stacked review whose first commits landed in one commit',
      {
        base: { f: file },
        source: [...source, { f: lines({ 5: 'five', 20: 'twenty', 30: 'thirty' }) }],
        landed: [{ f: two }, { f: lines({ 5: 'five', 20: 'twenty', 30: 'thirty' }) }],
        anchored: true,
      },
      'SAME_CHANGE',
    ],
    [
      'the last commit of a rebase whose first conflict a person decided, and which deletes next to it',
      {
        base: { f: file },
        target: [{ f: file, g: 'target\n' }],
        source: [
          { f: lines({ 40: 'forty' }), g: 'source\n' },
          { f: lines({ 39: '', 40: 'forty' }), g: 'source\n' },
        ],
        landed: [
          { f: lines({ 40: 'forty' }), g: 'source\n' },
          { f: lines({ 39: '', 40: 'forty' }), g: 'source\n' },
        ],
      },
      'BY_HAND or SAME_CHANGE or DIVERGENT',
    ],
    [
      'others between picks are no matter',
      {
        base: { f: file },
        source,
        landed: [{ f: one }, { f: one, ...other }, { f: two, ...other }],
        anchored: true,
      },
      'SAME_CHANGE',
    ],
    [
      'a step with more than its commit needs a person',
      {
        base: { f: file },
        source,
        landed: [
          { f: one, ...other },
          { f: two, ...other },
        ],
        anchored: true,
      },
      'BY_HAND',
    ],
    [
      'the same in one commit is divergent',
      { base: { f: file }, source, landed: [{ f: two, ...other }] },
      'DIVERGENT',
    ],
    [
      'a later unrelated commit is reported',
      { base: { f: file }, source, landed: [{ f: two }, { f: two, ...other }], anchored: true },
      'SAME_CHANGE',
    ],
    [
      'a later commit that drops a hunk is reported',
      { base: { f: file }, source, landed: [{ f: two }, { f: lines({ 20: 'twenty' }) }], anchored: true },
      'DIVERGENT',
    ],
    [
      'a later commit that drops a hunk of an earlier pick is reported',
      {
        base: { f: file },
        source,
        landed: [{ f: one }, { f: two }, { f: lines({ 20: 'twenty' }) }],
        anchored: true,
      },
      'DIVERGENT',
    ],
    [
      'a later commit that drops a hunk of a pick whose file a later pick renamed is reported',
      {
        base: { f: file, g: 'g\n' },
        source: [{ f: one, g: 'g\n' }, { h: one, g: 'g\n' }, { h: one }],
        landed: [{ f: one, g: 'g\n' }, { h: one, g: 'g\n' }, { h: one }, { h: file }],
        anchored: true,
      },
      'DIVERGENT',
    ],
    [
      'an empty commit is reported, and a person decided the conflict before it',
      {
        base: { f: file },
        target: [{ f: lines({ 5: '5' }) }],
        source,
        landed: [
          { f: lines({ 5: 'five by hand', 20: 'twenty' }) },
          { f: lines({ 5: 'five by hand', 20: 'twenty' }) },
        ],
        anchored: true,
      },
      'DIVERGENT or UNKNOWN',
    ],
    [
      'an empty commit is reported, and others had made the change before the anchor',
      { base: { f: file }, target: [{ f: two }], source, landed: [{ f: two }], anchored: true },
      'UNKNOWN',
    ],
    [
      'an unrelated commit is reported, and others had made the change before the anchor',
      { base: { f: file }, target: [{ f: two }], source, landed: [{ f: two, ...other }], anchored: true },
      'UNKNOWN or DIVERGENT',
    ],
  ])('%s', async (_, each, verdict) => {
    expect(await made.verdictOf(each)).toBe(verdict);
  });

  it('a true merge, and then a commit that drops a hunk', async () => {
    const base = await made.commit({ f: file });
    const [onto, sourceTip] = [await made.commit({ f: file, ...other }, base), await made.grow(base, source)];
    const merge = await made.commit({ f: two, ...other }, onto, sourceTip);
    const commitId = await made.commit({ f: lines({ 20: 'twenty' }), ...other }, merge);
    expect((await made.judge({ sourceTip, commitId: merge, anchorCommitId: onto })).verdicts).toEqual([
      'EXACT',
    ]);
    expect((await made.judge({ sourceTip, commitId, anchorCommitId: onto })).verdicts).toEqual(['DIVERGENT']);
    const octopus = await made.commit({ f: two, ...other }, onto, sourceTip, base);
    expect((await made.judge({ sourceTip, commitId: octopus })).verdicts).toEqual(['UNKNOWN']);
  });
});
