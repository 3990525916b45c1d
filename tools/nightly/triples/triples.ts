import fc from 'fast-check';
import { block, edit, edited, linesOf, type Edit } from './code-files';

/** What became of the source's edits in the landed file. */
export const LANDINGS = ['all', 'all but one', 'none', 'all and one more', 'the source alone'] as const;
export type Landing = (typeof LANDINGS)[number];

/** A file as it was when the branches parted, in the source, before the landing and in it. */
export interface Triple {
  base: string[];
  source: string[];
  before: string[];
  landed: string[];
  landing: Landing;
  /** Whether it was made so that every edit of the source is in the landed file, in its place. */
  hasLanded: boolean;
}

interface TriplePlan {
  base: Parameters<typeof linesOf>[0][];
  theirs: Edit[];
  ours: Edit[];
  more: Edit;
  landing: Landing;
  choice: number;
  /** Whether the source's inserts stand before the target's where both are at one place. */
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
  const both = (own: readonly Edit[], others = ours) =>
    sourceFirst ? [...own, ...others] : [...others, ...own];
  const landed: Record<Landing, Edit[]> = {
    all: both(theirs),
    'all but one': both(left),
    none: ours,
    'all and one more': both(theirs, [...ours, more]),
    'the source alone': theirs,
  };
  return {
    base: lines,
    source: edited(lines, theirs),
    before: edited(lines, ours),
    landed: edited(lines, landed[landing]),
    landing,
    hasLanded: landing !== 'none' && landing !== 'all but one',
  };
}
