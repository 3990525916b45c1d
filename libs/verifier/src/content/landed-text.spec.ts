import { LineSteps } from '../line-steps';
import type { MergeTemplate, Range } from '../merge/merge-template';
import { decisionsIn, deletedLines } from '../merge/read-decisions';
import { alteredBesideDecisions } from './landed-text';

const NOTHING = { places: [], isUnclear: false };
const lines = (text: string): string[] => text.split(' ').map((line) => `${line}\n`);

/** Both sides changed the first line and added lines at the end. The source's added lines repeat those in between. */
const base = lines('one ( step )');
const ours = lines('uno ( step ) end');
const theirs = lines('ONE ( step ) more two ( step )');
const at = (start: number, end: number) => ({ start, end });
const hole = (base: Range, ours: Range, theirs: Range) => ({
  ours,
  theirs,
  conflict: { base, ours, theirs },
});
const template: MergeTemplate = {
  lines: base.slice(1).map((text, index) => ({ text, owner: 'base', at: index + 1 })),
  deletions: [],
  holes: [
    { before: 0, hole: hole(at(0, 1), at(0, 1), at(0, 1)) },
    { before: 3, hole: hole(at(4, 4), at(4, 5), at(4, 9)) },
  ],
};

function altered(text: string) {
  const [landed, steps] = [lines(text), new LineSteps(100_000)];
  const sides = { ours, theirs, deleted: deletedLines(base, { ours, theirs }) };
  expect(decisionsIn(template, landed, { sides, steps })).toBeDefined();
  return alteredBesideDecisions(template, { ...sides, base, landed }, steps);
}

describe('a line altered beside decided conflicts is found', () => {
  it('even if it repeats below, so that the first decision could extend to the repetition', () => {
    expect(altered('ONE uno [ step ) more two ( step ) end')).toEqual({
      places: [{ kind: 'altered', reason: 'extra_content', in: 'landed', firstLine: 3, lastLine: 3 }],
      isUnclear: false,
    });
  });

  it('but not if a conflict was decided as lines of neither side', () => {
    expect(altered('eins ( step ) more two ( step ) end')).toEqual(NOTHING);
  });

  it('and is unclear if a decision may lack it, because that ends with the same lines', () => {
    // The decision is both sides' lines without the last ")"; or the undisputed ")" below it is missing.
    const repeated: MergeTemplate = {
      lines: [{ text: ')\n', owner: 'base', at: 1 }],
      deletions: [],
      holes: [{ before: 0, hole: hole(at(0, 1), at(0, 2), at(0, 1)) }],
    };
    const sides = { base: lines('one )'), ours: lines('uno ) )'), theirs: lines('ONE )') };
    const compared = { ...sides, deleted: deletedLines(sides.base, sides), landed: lines('ONE uno )') };
    expect(alteredBesideDecisions(repeated, compared, new LineSteps(100_000))).toEqual({
      places: [expect.objectContaining({ kind: 'undone', in: 'target', firstLine: 2 })],
      isUnclear: true,
    });
  });
});
