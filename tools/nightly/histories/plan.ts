import fc from 'fast-check';

const LINE_EDITS = ['replace line', 'insert line', 'delete line', 'repeat line'] as const;
const FILE_EDITS = [
  'remove file',
  'add file',
  'rename',
  'change mode',
  'make symlink',
  'make binary',
  'make directory',
  'move submodule',
] as const;
export const EDITS = [...LINE_EDITS, ...FILE_EDITS] as const;

/** One edit of one file. Of two edits of the same line the later one wins. */
export interface Edit {
  file: number;
  line: number;
  kind: (typeof EDITS)[number];
}

/**
 * The next action on a branch; `other` is the other one of source and target.
 * `land …` brings the other branch's content without its commits.
 */
export const ACTIONS = [
  'edit',
  'commit nothing',
  'merge',
  'cross merge',
  'take over',
  'land squash',
  'land squash, conflicts resolved',
  'land squash on a wrong base',
  'land rebase',
  'land part',
  'revert last',
  'revert one',
  'start again',
  'force back',
] as const;
export type Action = (typeof ACTIONS)[number];

export interface Step {
  branch: 'source' | 'target';
  action: Action;
  edit: Edit;
  /** Selects among the possibilities: the edit to leave out, or how far to go back. */
  choice: number;
  /** Seconds since 1970. Clocks may run backwards. */
  date: number;
}

/** One history, and the commits for condition A, as positions that wrap around. */
export interface Plan {
  steps: Step[];
  commit: number;
  anchor: number | null;
}

export const FILES = ['one', 'folder/two', 'folder/deep/three', 'folder/deep/four', 'folder/later'];
/** The files that the first commit lacks. */
export const ABSENT_AT_FIRST: ReadonlySet<string> = new Set(['folder/later']);
export const LINES = 12;

const edit = fc.record<Edit>({
  file: fc.nat({ max: FILES.length - 1 }),
  line: fc.nat({ max: LINES - 1 }),
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...LINE_EDITS) },
    { weight: 1, arbitrary: fc.constantFrom(...FILE_EDITS) },
  ),
});

function step(branch: fc.Arbitrary<Step['branch']>, action: fc.Arbitrary<Action>): fc.Arbitrary<Step> {
  return fc.record({
    branch,
    action,
    edit,
    choice: fc.nat({ max: 99 }),
    date: fc.integer({ min: 1_000_000_000, max: 1_000_000_020 }),
  });
}

const anything = step(
  fc.constantFrom('source', 'target'),
  fc.oneof(
    { weight: 6, arbitrary: fc.constant('edit') },
    { weight: 8, arbitrary: fc.constantFrom(...ACTIONS) },
  ),
);
const edits = (branch: Step['branch']) => step(fc.constant(branch), fc.constant('edit'));
const landing = step(
  fc.constant('target'),
  fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom<Action>('land squash', 'land rebase') },
    { weight: 1, arbitrary: fc.constantFrom(...ACTIONS) },
  ),
);

/** Half of the plans are the life of one review, with surprises; the others are arbitrary. */
const steps = fc.oneof(
  fc.array(anything, { minLength: 2, maxLength: 14 }),
  fc
    .tuple(
      fc.array(edits('source'), { minLength: 1, maxLength: 4 }),
      fc.array(edits('target'), { maxLength: 3 }),
      landing,
      fc.array(anything, { maxLength: 3 }),
    )
    .map(([own, meanwhile, landed, later]) => [...own, ...meanwhile, landed, ...later]),
);

export const plans: fc.Arbitrary<Plan> = fc.record({
  steps,
  commit: fc.nat({ max: 999 }),
  anchor: fc.option(fc.nat({ max: 999 })),
});
