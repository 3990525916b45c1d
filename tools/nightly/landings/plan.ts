import fc from 'fast-check';
import { type Block, block, edit } from '../triples/code-files';
import { type Change, CODE_FILES, WHOLE_CHANGES } from './files';

/** The ways in which the two sides are made to conflict. */
export const CLASHES = [
  'none',
  'same line',
  'adjacent insert',
  'changelog',
  'added file',
  'binary',
  'link',
  'edit of what the source removes',
  'removal of what the source edits',
] as const;
export type Clash = (typeof CLASHES)[number];

/**
 * Others' changes to files that the review does not touch. An added file can be emptied, and a retired one restored, so
 * each is in more reviews than the run has to corrupt so.
 */
const BESIDES = ['nothing', 'add', 'add', 'retire', 'retire'] as const;

/** The ways in which a sound landing is made. */
export const LANDINGS = [
  'squash',
  'merge',
  'rebase',
  'second landing',
  'stacked',
  'empty commit after',
  'another commit after',
  'formatted',
] as const;
export type LandingWay = (typeof LANDINGS)[number];

/** The ways in which a person decides a conflict. */
export const RESOLUTIONS = ['target first', 'source first', 'written', 'the source'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** One review's life: the base, both sides' changes commit by commit, and the landing. */
export interface LandingPlan {
  code: Block[][];
  prior: Change[][];
  ours: Change[][];
  theirs: Change[][];
  clash: Clash;
  landing: LandingWay;
  resolution: Resolution;
  /** Selects among commits, lines and files. */
  choice: number;
}

type Unnumbered = Change extends infer Each ? (Each extends Change ? Omit<Each, 'number'> : never) : never;

const file = fc.nat({ max: CODE_FILES.length - 1 });
const change: fc.Arbitrary<Unnumbered> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ file, edit }) },
  { weight: 1, arbitrary: fc.record({ file, log: fc.constant(true as const) }) },
  { weight: 1, arbitrary: fc.record({ file, whole: fc.constantFrom(...WHOLE_CHANGES) }) },
);
const commits = (minLength: number, maxLength: number) =>
  fc.array(fc.array(change, { minLength: 1, maxLength: 2 }), { minLength, maxLength });

/** The two changes of a clash, the source's first. */
function clashOf(clash: Clash, at: number): [Unnumbered, Unnumbered] | undefined {
  const where = { file: at % CODE_FILES.length };
  const line = { kind: 'line', text: '  return;' } as const;
  switch (clash) {
    case 'none':
      return undefined;
    case 'same line':
      return twice({ ...where, edit: { do: 'replace', at, block: line } });
    case 'adjacent insert':
      return twice({ ...where, edit: { do: 'insert', at, block: line } });
    case 'changelog':
      return twice({ ...where, log: true });
    case 'added file':
      return twice({ ...where, whole: 'add' });
    case 'binary':
    case 'link':
      return twice({ ...where, whole: clash });
    case 'edit of what the source removes':
      return [
        { ...where, whole: 'remove' },
        { ...where, edit: { do: 'insert', at, block: line } },
      ];
    case 'removal of what the source edits':
      return [
        { ...where, edit: { do: 'insert', at, block: line } },
        { ...where, whole: 'remove' },
      ];
  }
}

const twice = (change: Unnumbered): [Unnumbered, Unnumbered] => [change, change];

export const landingPlans: fc.Arbitrary<LandingPlan> = fc
  .record({
    code: fc.array(fc.array(block, { minLength: 2, maxLength: 7 }), {
      minLength: CODE_FILES.length,
      maxLength: CODE_FILES.length,
    }),
    prior: commits(0, 2),
    ours: commits(0, 4),
    theirs: fc.oneof({ weight: 1, arbitrary: commits(1, 4) }, { weight: 2, arbitrary: commits(2, 4) }),
    besides: fc.constantFrom(...BESIDES),
    clash: fc.oneof(
      { weight: 2, arbitrary: fc.constant<Clash>('none') },
      { weight: 3, arbitrary: fc.constantFrom(...CLASHES) },
    ),
    landing: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom<LandingWay>('squash', 'merge') },
      { weight: 10, arbitrary: fc.constantFrom<LandingWay>('rebase', 'second landing', 'stacked') },
      { weight: 5, arbitrary: fc.constantFrom<LandingWay>('empty commit after', 'another commit after') },
      { weight: 1, arbitrary: fc.constant<LandingWay>('formatted') },
    ),
    resolution: fc.constantFrom(...RESOLUTIONS),
    choice: fc.nat({ max: 9_999 }),
  })
  .map(({ prior, ours, theirs, besides, ...plan }) => {
    const { clash, choice } = plan;
    const sides = { ours: ours.map((each) => [...each]), theirs: theirs.map((each) => [...each]) };
    const [own, other] = clashOf(clash, choice % 40) ?? [];
    if (own && other) {
      sides.theirs[choice % sides.theirs.length]?.push(own);
      if (sides.ours.length === 0) sides.ours.push([]);
      sides.ours[Math.floor(choice / 7) % sides.ours.length]?.push(other);
    }
    if (besides !== 'nothing') {
      const whole: Unnumbered = { file: choice % CODE_FILES.length, whole: besides };
      if (sides.ours.length === 0) sides.ours.push([]);
      sides.ours[Math.floor(choice / 11) % sides.ours.length]?.push(whole);
    }
    let number = 0;
    const numbered = (list: readonly (readonly Unnumbered[])[]) =>
      list.map((each) => each.map((one): Change => ({ ...one, number: (number += 1) }) as Change));
    return {
      ...plan,
      prior: numbered(prior),
      ours: numbered(sides.ours.filter((each) => each.length > 0)),
      theirs: numbered(sides.theirs),
    };
  });
