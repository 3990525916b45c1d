import { findDecisions, type LandedConflict, linesOf, readConflictText } from './conflict-text';

const NAMES = { target: 'a'.repeat(40), source: 'b'.repeat(40) };
const BEGIN = `<<<<<<< ${NAMES.target}`;
const END = `>>>>>>> ${NAMES.source}`;

const text = (...all: string[]): string => all.map((line) => `${line}\n`).join('');
const conflict = (target: string[], source: string[]) => [BEGIN, ...target, '=======', ...source, END];

/** How a file landed whose conflicts are between lines that both sides left alone. */
function landed(merged: string[], result: string): LandedConflict | undefined {
  return findDecisions(readConflictText(text(...merged), NAMES)!, linesOf(result));
}

describe('the places of conflicts in a landed file', () => {
  const one = ['top', ...conflict(['two'], ['zwei']), 'end'];

  it.each<[string, string[], LandedConflict]>([
    ['lines of a person', ['top', 'deux', 'dos', 'end'], decided([1, 3])],
    ['the lines of both sides', ['top', 'two', 'zwei', 'end'], decided([1, 3])],
    ["the source's side alone", ['top', 'zwei', 'end'], decided([1, 2])],
    ["the target's side alone", ['top', 'two', 'end'], { outcome: 'undecided' }],
    ['nothing', ['top', 'end'], { outcome: 'undecided' }],
    ["git's markers", one, { outcome: 'undecided' }],
    ['the end of a marker that was left', ['top', 'zwei', '>>>>>>> x', 'end'], { outcome: 'undecided' }],
    ['a foreign line before the place', ['evil', 'top', 'zwei', 'end'], { outcome: 'outside' }],
    ['a foreign line behind the place', ['top', 'zwei', 'end', 'evil'], { outcome: 'outside' }],
    ['a line outside of the place that is missing', ['top', 'zwei'], { outcome: 'outside' }],
  ])('are found or not, with %s', (_what, result, expected) => {
    expect(landed(one, text(...result))).toEqual(expected);
  });

  it('are found between equal lines if one way to find them is decided', () => {
    const two = ['x', ...conflict(['a'], ['b']), '}', ...conflict(['c'], ['d']), '}'];
    expect(landed(two, text('x', '}', 'B', '}', 'D', '}'))).toEqual(decided([1, 3], [4, 5]));
    expect(landed(two, text('x', 'b', '}', 'c', '}'))).toEqual({ outcome: 'undecided' });
    expect(landed(two, text('x', '}', '}'))).toEqual({ outcome: 'undecided' });
  });

  it('are found behind a beginning that repeats itself', () => {
    const repeated = [...conflict(['a'], ['b']), 'r', 'r', 's', ...conflict(['c'], ['d'])];
    expect(landed(repeated, text('b', 'r', 'r', 'r', 's', 'd'))).toEqual(decided([0, 2], [5, 6]));
  });

  it('are decided, whatever is in them, if the source has no line there', () => {
    const place = ['top', ...conflict(['two'], []), 'end'];
    expect(landed(place, text('top', 'end'))).toEqual(decided([1, 1]));
    expect(landed(place, text('top', 'two', 'end'))).toEqual(decided([1, 2]));
  });

  it('keep the end of the last line out of a comparison only within a place', () => {
    expect(landed([...conflict(['two'], ['zwei'])], 'zwei')).toEqual(decided([0, 1]));
    expect(landed([...conflict(['two'], ['zwei'])], 'two')).toEqual({ outcome: 'undecided' });
    expect(landed(one, 'top\nzwei\nend')).toEqual({ outcome: 'outside' });
  });

  it('are not searched in a file that would take too long', () => {
    const many = Array.from({ length: 300 }, () => [...conflict(['a'], ['b']), '-']).flat();
    expect(landed(many, text(...Array.from({ length: 100_000 }, () => '-')))).toBeUndefined();
  });
});

describe('a file with conflicts', () => {
  it.each([
    ['has none', text('top', 'end')],
    ['has a separator among the lines of a side', text(...conflict(['=====', '======='], ['x']))],
    ['has a conflict without its end', text(BEGIN, 'two', '=======')],
    ['has a beginning within a conflict', text(BEGIN, BEGIN, '=======', END)],
    ['has markers of other commits', text('<<<<<<< HEAD', 'two', '=======', 'zwei', '>>>>>>> part')],
  ])('is not read if it %s', (_what, merged) => {
    expect(readConflictText(merged, NAMES)).toBeUndefined();
  });

  it('is read with the paths that git names for a renamed file', () => {
    const merged = text(`${BEGIN}:old.ts`, 'two', '=======', 'zwei', `${END}:new.ts`);
    expect(readConflictText(merged, NAMES)).toEqual({
      parts: [[], []],
      places: [{ target: ['two\n'], source: ['zwei\n'] }],
    });
  });
});

function decided(...ranges: [number, number][]): LandedConflict {
  return { outcome: 'decided', places: ranges.map(([start, end]) => ({ start, end })) };
}
