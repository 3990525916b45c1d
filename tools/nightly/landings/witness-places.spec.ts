import type { Entry } from './files';
import { type Case, HandMade, lines, type Tree } from './witness-case';
import { type Parts, partsOf, readParts } from './witness-places';

let made: HandMade;
beforeAll(async () => {
  made = await HandMade.open();
});
afterAll(() => made.workshop.remove());

const file = lines();
const link = (content: string): Entry => ({ mode: '120000', content });
const submodule = (digit: string) => ({ mode: '160000', id: digit.repeat(40) });

describe('a conflict of lines', () => {
  const clash = (landed: Record<number, string>, more: Tree = {}): Case => ({
    base: { f: file },
    target: [{ f: lines({ 5: 'const limit = 20', 30: 'x' }) }],
    source: [{ f: lines({ 5: 'const limit = 10' }), n: 'n\n' }],
    landed: [{ f: lines({ 30: 'x', ...landed }), n: 'n\n', ...more }],
  });
  const markers = '<<<<<<< a\nconst limit = 20\n=======\nconst limit = 10\n>>>>>>> b';
  it.each<[string, Case, string]>([
    ["with the source's side alone", clash({ 5: 'const limit = 10' }), 'BY_HAND'],
    ['with foreign lines', clash({ 5: 'steal(1)\nsteal(2)' }), 'BY_HAND'],
    ["with the target's side alone", clash({ 5: 'const limit = 20' }), 'DIVERGENT'],
    ['with markers', clash({ 5: markers }), 'DIVERGENT'],
    ['with nothing', clash({ 5: '' }), 'DIVERGENT'],
    ['with a line altered elsewhere', clash({ 5: 'const limit = 10', 9: 'nine' }), 'DIVERGENT'],
    ['with one more file', clash({ 5: 'const limit = 10' }, { evil: 'e\n' }), 'DIVERGENT'],
    ['with the reading of both sides', clash({ 5: 'const limit = 10\nconst limit = 20' }), 'BY_HAND'],
  ])('%s', async (_, each, verdict) => {
    expect(await made.verdictOf(each)).toBe(verdict);
  });

  it("the target's side alone is open if the source's side is empty", () => {
    const marked = ['a', '<<<<<<< o', 'p', '=======', '>>>>>>> s', 'z'].map((line) => `${line}\n`);
    const parts = partsOf(marked) as Parts;
    expect(readParts(parts, ['a\n', 'p\n', 'z\n'])).toBe('either');
    expect(readParts(parts, ['a\n', 'q\n', 'z\n'])).toBe('by hand');
  });

  it('two places between repeated lines are open, if one of the readings has an empty one', () => {
    const parts = partsOf(
      [
        'a',
        '<<<<<<< o',
        'p',
        '=======',
        'q',
        '>>>>>>> s',
        '}',
        '<<<<<<< o',
        'r',
        '=======',
        't',
        '>>>>>>> s',
        'z',
      ].map((line) => `${line}\n`),
    ) as Parts;
    const read = (text: string) => readParts(parts, text.split(/(?<=\n)/));
    expect(read('a\nq\n}\nt\nz\n')).toBe('by hand');
    expect(read('a\nq\n}\n}\nt\nz\n')).toBe('by hand');
    expect(read('a\n}\n}\nt\nz\n')).toBe('either');
    expect(read('a\np\n}\nt\nz\n')).toBe('refused');
    expect(read('a\nq\nt\nz\n')).toBe('outside');
  });

  it('an empty line is a decision', () => {
    const parts: Parts = { fixed: [['a\n'], ['z\n']], places: [{ ours: [], theirs: ['\n'] }] };
    expect(readParts(parts, ['a\n', '\n', 'z\n'])).toBe('by hand');
    expect(readParts(parts, ['a\n', 'z\n'])).toBe('refused');
  });
});

describe('a conflict of whole files', () => {
  const [edited, theirs] = [lines({ 5: 'five' }), lines({ 30: 'thirty' })];
  it.each<[string, Case, string]>([
    [
      'a submodule that both moved, whichever landed',
      {
        base: { m: submodule('1') },
        target: [{ m: submodule('2') }],
        source: [{ m: submodule('3') }],
        landed: [{ m: submodule('2') }],
      },
      'BY_HAND',
    ],
    [
      'links of both sides, the source landed',
      {
        base: { l: link('a') },
        target: [{ l: link('b') }],
        source: [{ l: link('c') }],
        landed: [{ l: link('c') }],
      },
      'BY_HAND',
    ],
    [
      'binary files of both sides, the target landed',
      {
        base: { b: '\0a' },
        target: [{ b: '\0b' }],
        source: [{ b: '\0c', n: 'n\n' }],
        landed: [{ b: '\0b', n: 'n\n' }],
      },
      'DIVERGENT',
    ],
    [
      'a deletion of an edited file landed',
      {
        base: { f: file, r: 'r\n' },
        target: [{ f: edited, r: 'r\n' }],
        source: [{ r: 'r\n' }],
        landed: [{ r: 'r\n' }],
      },
      'BY_HAND',
    ],
    [
      'an edit of a deleted file did not land',
      {
        base: { f: file, r: 'r\n' },
        target: [{ r: 'r\n' }],
        source: [{ f: edited, r: 'r\n', n: 'n\n' }],
        landed: [{ r: 'r\n', n: 'n\n' }],
      },
      'DIVERGENT',
    ],
    [
      "two renames of one file, at the source's path",
      {
        base: { f: file },
        target: [{ g: edited }],
        source: [{ h: theirs }],
        landed: [{ h: lines({ 5: 'five', 30: 'thirty' }) }],
      },
      'BY_HAND',
    ],
    [
      'two renames of one file, as the target has it',
      {
        base: { f: file },
        target: [{ g: edited }],
        source: [{ h: theirs, n: 'n\n' }],
        landed: [{ g: edited, n: 'n\n' }],
      },
      'DIVERGENT',
    ],
    [
      'a deletion of a file that the target renamed, without effect',
      {
        base: { f: file, r: 'r\n' },
        target: [{ g: file, r: 'r\n' }],
        source: [{ r: 'r\n' }],
        landed: [{ g: file, r: 'r\n', o: 'o\n' }],
      },
      'DIVERGENT',
    ],
    [
      'a deletion of a file that the target renamed, at its new path',
      {
        base: { f: file, r: 'r\n' },
        target: [{ g: file, r: 'r\n' }],
        source: [{ r: 'r\n' }],
        landed: [{ r: 'r\n' }],
      },
      'BY_HAND',
    ],
    [
      "a rename to a path that the target added, with both files' lines",
      {
        base: { f: file },
        target: [{ f: file, g: 'other\n' }],
        source: [{ g: edited }],
        landed: [{ g: `other\n${edited}` }],
      },
      'BY_HAND',
    ],
    [
      'a rename to a path that the target added, with the target alone',
      {
        base: { f: file },
        target: [{ f: file, g: 'other\n' }],
        source: [{ g: edited }],
        landed: [{ g: 'other\n' }],
      },
      'DIVERGENT',
    ],
    [
      'a file where the other side has a folder, the folder landed',
      {
        base: { r: 'r\n' },
        target: [{ r: 'r\n', d: 'file\n' }],
        source: [{ r: 'r\n', 'd/f': file }],
        landed: [{ r: 'r\n', 'd/f': file }],
      },
      'BY_HAND',
    ],
  ])('%s', async (_, each, verdict) => {
    expect(await made.verdictOf(each)).toBe(verdict);
  });
});
