import { LineSteps } from '../line-steps';
import { TextChange } from './text-change';

const limits = {
  diffedFileBytes: 1_000,
  diffedFileLines: 100_000,
  diffedLines: 100,
  steps: new LineSteps(Infinity),
};
const text = (...lines: string[]) => Buffer.from(lines.map((line) => `${line}\n`).join(''));
const BASE = ['one', 'two', 'three', 'four', 'five'];
const carried = (source: Buffer, other: Buffer, base = text(...BASE)) => {
  const change = TextChange.between(base, source, limits);
  const carrying = change?.carriedBy(other);
  return carrying === 'carried' || (carrying === 'open' && change?.isMergedIn(other) === true);
};

describe('TextChange', () => {
  const source = text('one', 'TWO', 'three', 'four', 'five');

  it('is carried by its own result, and by one with changes elsewhere', () => {
    expect(carried(source, source)).toBe(true);
    expect(carried(source, text('one', 'TWO', 'three', 'FOUR', 'five', 'six'))).toBe(true);
  });

  it.each([
    ['the base', text(...BASE)],
    ['other bytes', text('one', 'TWO ', 'three', 'four', 'five')],
    ['the same line at another place', text('one', 'two', 'TWO', 'four', 'five')],
    ['the same line next to the old one', text('one', 'TWO', 'two', 'three', 'four', 'five')],
    ['more in the same place', text('one', 'TWO', 'too', 'three', 'four', 'five')],
    ['a part of it', text('one', 'three', 'four', 'five')],
    ['nothing', text()],
  ])('is not carried by %s', (_, other) => expect(carried(source, other)).toBe(false));

  it('is carried by a file that has it in one of two alignments with the base, as `git merge-file` finds', () => {
    const body = ['expect(', ');', ''];
    const test = (name: string) => text('return', '}', '', `it ${name}`, ...body, 'end');
    const other = text('import', ...body, 'it omega', ...body, 'end');
    expect(carried(test('omega'), other, test('gamma'))).toBe(true);
    const both = text('import', 'it gamma', ...body, 'it omega', ...body, 'end');
    expect(carried(test('omega'), both, test('gamma'))).toBe(false);
  });

  it('is carried only as a whole', () => {
    const both = text('ONE', 'two', 'three', 'four', 'FIVE');
    expect(carried(both, text('ONE', 'two', 'THREE', 'four', 'FIVE'))).toBe(true);
    expect(carried(both, text('ONE', 'two', 'three', 'four', 'five'))).toBe(false);
  });

  it('is carried only as a whole, deletions too', () => {
    const both = text('one', 'three', 'five');
    expect(carried(both, text('one', 'three', 'five', 'six'))).toBe(true);
    expect(carried(both, text('one', 'three', 'four', 'five'))).toBe(false);
  });

  it('counts lines: twice inserted is not once inserted', () => {
    const twice = text('x', ...BASE, 'x');
    expect(carried(twice, text('x', ...BASE))).toBe(false);
    expect(carried(twice, text('x', ...BASE, 'x'))).toBe(true);
  });

  it('finds an insert among equal lines, whichever of them git shows as new', () => {
    const base = text('{', '}', '{', '}', 'end');
    expect(
      carried(text('{', '}', '{', '}', '{', '}', 'end'), text('{', '}', '{', '}', '{', '}', 'END'), base),
    ).toBe(false);
    expect(
      carried(
        text('{', '}', '{', '}', '{', '}', 'end'),
        text('{', '}', '{', '}', '{', '}', 'end', 'more'),
        base,
      ),
    ).toBe(true);
  });

  describe('among repeated lines, of which a diff pairs one with any other', () => {
    const call = (name: string) => [`function ${name}() {`, '  return;', '}', ''];

    it('is carried if others add a line on top', () => {
      const base = text('a', '}');
      expect(carried(text('a', '}', ' x', '}', 'c'), text('top', 'a', '}', ' x', '}', 'c'), base)).toBe(true);
    });

    it('is carried by a version in which others deleted a function, if it adds one', () => {
      const base = text(...call('a'), ...call('b'));
      const added = text(...call('a'), ...call('b'), ...call('c'));
      expect(carried(added, text(...call('b'), ...call('c')), base)).toBe(true);
      expect(carried(added, text(...call('b')), base)).toBe(false);
      expect(carried(added, text(...call('b'), ...call('c').with(1, '  throw;')), base)).toBe(false);
    });

    it('is carried by its merge onto the version before, even if a second merge would conflict', () => {
      const base = text('{', '}', '{', '}');
      const change = TextChange.between(base, text('{', '}', '{', 'x', '}', '{', '}'), limits);
      const before = text('{', '}', '{', '}', 'end');
      const merged = text('{', '}', '{', 'x', '}', '{', '}', 'end');
      expect(change?.isMergedIn(merged, before)).toBe(true);
      expect(change?.isMergedIn(before, before)).toBe(false);
      expect(change?.isMergedIn(text('other'), Buffer.from([0]))).toBe(false);
    });
  });

  it('distinguishes a last line without a newline from one with it', () => {
    expect(carried(Buffer.from('one\ntwo'), text('one', 'two'), text('one'))).toBe(false);
    expect(carried(Buffer.from('one\ntwo'), Buffer.from('one\ntwo'), text('one'))).toBe(true);
  });

  it('compares bytes that are not valid text in any encoding', () => {
    const [base, changed] = [Buffer.from([0xff, 10, 0xfe, 10]), Buffer.from([0xff, 10, 0xfd, 10])];
    expect(carried(changed, changed, base)).toBe(true);
    expect(carried(changed, Buffer.from([0xff, 10, 0xfc, 10]), base)).toBe(false);
  });

  it('does not exist between files if one is binary or too large', () => {
    const binary = Buffer.from([1, 0, 2]);
    const large = Buffer.alloc(1_001, 'x');
    for (const other of [binary, large]) {
      expect(TextChange.between(text('a'), other, limits)).toBeUndefined();
      expect(TextChange.between(other, text('a'), limits)).toBeUndefined();
      expect(carried(source, other)).toBe(false);
    }
  });

  it('is merged if too many lines differ for a shortest edit script', () => {
    const many = Array.from({ length: 101 }, (_, line) => `${line}`);
    const [base, source] = [text('x', 'y', 'z'), text('x', ...many, 'y', 'z')];
    expect(carried(source, text('x', ...many, 'y', 'z', 'end'), base)).toBe(true);
    expect(carried(source, text('x', ...many.slice(1), 'y', 'z', 'end'), base)).toBe(false);
  });
});
