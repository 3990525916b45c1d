import fc from 'fast-check';
import { block, type Edit, edit, edited, linesOf } from './code-files';

/** Which of the source's edits the landed file has. */
export const LANDINGS = ['all', 'all but one', 'none', 'all and one more', 'the source alone'] as const;
export type Landing = (typeof LANDINGS)[number];

/** A file when the branches parted, in the source, before the landing, and in the landing. */
export interface Triple {
  base: string[];
  source: string[];
  before: string[];
  landed: string[];
  landing: Landing;
  /** Whether the landed file was constructed with every edit of the source, each in its place. */
  hasLanded: boolean;
}

interface TriplePlan {
  base: Parameters<typeof linesOf>[0][];
  theirs: Edit[];
  ours: Edit[];
  more: Edit;
  landing: Landing;
  choice: number;
  /** Whether the source's inserts precede the target's at the same place. */
  sourceFirst: boolean;
}

export const triplePlans: fc.Arbitrary<TriplePlan> = fc.record({
  base: fc.array(block, { maxLength: 8 }),
  theirs: fc.array(edit, { minLength: 1, maxLength: 3 }),
  ours: fc.array(edit, { maxLength: 3 }),
  more: edit,
  landing: fc.constantFrom(...LANDINGS),
  choice: fc.nat({ max: 9 }),
  sourceFirst: fc.boolean(),
});

export function tripleOf({ base, theirs, ours, more, landing, choice, sourceFirst }: TriplePlan): Triple {
  const lines = base.flatMap(linesOf);
  const left = theirs.filter((_, index) => index !== choice % theirs.length);
  const both = (own: readonly Edit[], others = ours, isSourceFirst = sourceFirst) =>
    isSourceFirst ? [...own, ...others] : [...others, ...own];
  const landed: Record<Landing, Edit[]> = {
    all: both(theirs),
    'all but one': both(left),
    none: ours,
    'all and one more': both(theirs, [...ours, more]),
    'the source alone': theirs,
  };
  const source = edited(lines, theirs);
  const file = edited(lines, landed[landing]);
  // The target may have made the edit that is left out as well, or the source's other edits may undo it.
  const isAll = [true, false].some((first) => isSame(edited(lines, both(theirs, ours, first)), file));
  const isNet = subsetsOf(left).some((own) => isSame(edited(lines, own), source));
  return {
    base: lines,
    source,
    before: edited(lines, ours),
    landed: file,
    landing,
    hasLanded: landing === 'none' ? false : landing !== 'all but one' || isAll || isNet,
  };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.join('\n') === other.join('\n');

const subsetsOf = (edits: readonly Edit[]): Edit[][] =>
  edits.reduce<Edit[][]>((all, edit) => [...all, ...all.map((some) => [...some, edit])], [[]]);
