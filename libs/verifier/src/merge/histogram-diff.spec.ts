import fc from 'fast-check';
import { LineSteps } from '../line-steps';
import { histogramDiff } from './histogram-diff';

/** Compares texts whose lines are single letters. @returns both texts, with a dot for each line with a counterpart */
function changedIn(base: string, changed: string, steps = new LineSteps(Infinity)) {
  const numbers = new Map([...new Set([...base, ...changed])].map((line, number) => [line, number]));
  const numbered = (text: string) => Int32Array.from([...text].map((line) => numbers.get(line)!));
  const texts = { base: numbered(base), changed: numbered(changed), distinct: numbers.size };
  const found = histogramDiff(texts, steps);
  const marked = (text: string, flags: Uint8Array) =>
    [...text].map((line, at) => (flags[at] === 1 ? line : '.')).join('');
  return found && [marked(base, found.base), marked(changed, found.changed)];
}

describe('the histogram diff', () => {
  it('finds nothing between equal texts, and everything between others', () => {
    expect(changedIn('abc', 'abc')).toEqual(['...', '...']);
    expect(changedIn('abc', 'xyz')).toEqual(['abc', 'xyz']);
    expect(changedIn('', 'xyz')).toEqual(['', 'xyz']);
  });

  it('leaves the same lines in the same order unmarked on both sides', () => {
    const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', '}'), maxLength: 40 });
    fc.assert(
      fc.property(texts, texts, (base, changed) => {
        const [ofBase = '', ofChanged = ''] = changedIn(base, changed) ?? [];
        const kept = (text: string, marks: string) => [...text].filter((_, at) => marks[at] === '.').join('');
        expect(kept(base, ofBase)).toBe(kept(changed, ofChanged));
      }),
      { numRuns: 2_000 },
    );
  });

  it('pairs the rarest line, though pairing the frequent ones would change less', () => {
    expect(changedIn('x}}}}', '}}}}x')).toEqual(['.}}}}', '}}}}.']);
  });

  it('pairs the longest of several runs that are equally rare', () => {
    expect(changedIn('ab-cde', 'cde+ab')).toEqual(['ab-...', '...+ab']);
  });

  it('pairs by the shortest edit script if every line is frequent', () => {
    const frequent = '}'.repeat(70);
    expect(changedIn(`${frequent}`, `${frequent}}`)?.[1]?.replaceAll('.', '')).toBe('}');
  });

  it('throws if the verification has compared too many lines', () => {
    expect(() => changedIn('abcdef', 'fedcba', new LineSteps(5))).toThrow('lines take too long to compare');
  });
});
