import type { LineSteps } from '../line-steps';
import { type LineChange, lineChanges } from '../merge/line-changes';
import type {
  Deletion,
  Hole,
  MergeTemplate,
  Owner,
  Range,
  Sides,
  UndisputedLine,
} from '../merge/merge-template';
import type { DecidedSides, DeletedLines, Lines } from '../merge/read-decisions';
import { type Deviation, linesIn } from './finding';

/** Stands for a hole: a line outside latin1, which no file can have. */
const HOLE = '\u0100';

type Place = Omit<Deviation, 'path'>;

/** Undisputed lines that are altered beside decided conflicts. */
export interface AlteredBeside {
  places: Place[];
  /** Whether the decisions may lack these lines instead, because they repeat the undisputed ones beside them. */
  isUnclear: boolean;
}

/** The merge with a line for each hole, and the origin of its lines. */
interface Expected {
  lines: string[];
  /** Undefined for a line in a hole. */
  origins: (UndisputedLine | undefined)[];
  holes: Range[];
  deletions: { before: number; owner: Owner; texts: ReadonlySet<string> }[];
  base: ReadonlySet<string>;
}

/** The versions that a landed text is compared with, as lines. */
interface Compared extends DecidedSides {
  base: readonly string[];
  landed: readonly string[];
}

/**
 * Finds where a landed text differs from the undisputed lines of its merge: missing or altered lines of the source,
 * undone or altered lines of the target, and lines of neither side.
 *
 * @returns undefined if the texts are too tangled to compare
 */
export function deviationsOf(
  template: MergeTemplate,
  { base, landed }: Pick<Compared, 'base' | 'landed'>,
  steps: LineSteps,
): Place[] | undefined {
  const expected = expectedOf(template, base, () => [HOLE]);
  const changes = lineChanges(expected.lines, landed, steps);
  return changes && placesOfAll(changes, { expected, landed, steps });
}

/**
 * Finds the undisputed lines that are altered in a text whose conflicts are otherwise decided for one side, or as both
 * sides together. If the altered lines repeat elsewhere, the text can also be read as a merge in which a decision
 * contains everything up to the repetition; nobody decides a conflict so.
 *
 * @returns no places if the text differs from each such merge in the conflicts too
 */
export function alteredBesideDecisions(
  template: MergeTemplate,
  texts: Compared,
  steps: LineSteps,
): AlteredBeside {
  const ofConflicts = new Set(
    template.holes.flatMap(({ hole: { ours, theirs } }) => [
      ...texts.ours.slice(ours.start, ours.end),
      ...texts.theirs.slice(theirs.start, theirs.end),
    ]),
  );
  const readings = PLAIN.flatMap((decide) => {
    const expected = expectedOf(template, texts.base, ({ ours, theirs }) =>
      decide(
        {
          ours: texts.ours.slice(ours.start, ours.end),
          theirs: texts.theirs.slice(theirs.start, theirs.end),
        },
        texts.deleted,
      ),
    );
    const changes = lineChanges(expected.lines, texts.landed, steps);
    const isBeside = (change: LineChange) => {
      steps.spend(expected.holes.length);
      const added = texts.landed.slice(change.sideStart, change.sideEnd);
      return isBesideHoles(change, expected.holes) && !added.some((line) => ofConflicts.has(line));
    };
    return changes?.every(isBeside) ? [{ expected, changes, size: sizeOf(changes) }] : [];
  });
  const [nearest] = readings.sort((one, other) => one.size - other.size);
  if (nearest === undefined) return { places: [], isUnclear: false };
  const { expected, changes } = nearest;
  const places = placesOfAll(changes, { expected, landed: texts.landed, steps });
  return { places, isUnclear: changes.every((change) => canBeOfDecision(change, expected)) };
}

/** Whether lines are missing beside a hole and the hole has the same lines there, so that either may be missing. */
function canBeOfDecision(
  { start, end, sideStart, sideEnd }: LineChange,
  { lines, holes }: Expected,
): boolean {
  const count = end - start;
  const isRepeatedAt = (other: number) =>
    lines.slice(start, end).every((line, index) => line === lines[other + index]);
  return (
    sideStart === sideEnd &&
    holes.some(
      (hole) =>
        count <= hole.end - hole.start &&
        ((hole.end === start && isRepeatedAt(start - count)) || (hole.start === end && isRepeatedAt(end))),
    )
  );
}

const sizeOf = (changes: readonly LineChange[]): number =>
  changes.reduce((sum, { start, end, sideStart, sideEnd }) => sum + end - start + sideEnd - sideStart, 0);

const PLAIN: readonly ((sides: Sides, deleted: DeletedLines) => readonly string[])[] = [
  ({ theirs }) => theirs,
  ({ ours, theirs }) => [...ours, ...theirs],
  ({ ours, theirs }) => [...theirs, ...ours],
  ({ ours, theirs }, { byTheirs }) => [...without(ours, byTheirs), ...theirs],
  ({ ours, theirs }, { byTheirs }) => [...theirs, ...without(ours, byTheirs)],
  ({ ours }) => ours,
];

const without = (lines: readonly string[], deleted: Lines): string[] =>
  lines.filter((line) => !deleted.has(line));

/** Whether a change concerns no line of a decision, and adds none beside one. */
function isBesideHoles({ start, end }: LineChange, holes: readonly Range[]): boolean {
  return holes.every((hole) => {
    if (end < hole.start || start > hole.end) return true;
    return end > start && (end === hole.start || start === hole.end);
  });
}

function expectedOf(
  { lines, deletions, holes }: MergeTemplate,
  base: readonly string[],
  fill: (hole: Hole) => readonly string[],
): Expected {
  const expected: Expected = { lines: [], origins: [], holes: [], deletions: [], base: new Set(base) };
  let [nextHole, nextDeletion] = [0, 0];
  for (const [index, line] of [...lines, undefined].entries()) {
    const atLine = expected.lines.length;
    for (; holes[nextHole]?.before === index; nextHole += 1) {
      const start = expected.lines.length;
      for (const text of fill((holes[nextHole] as MergeTemplate['holes'][number]).hole)) {
        expected.lines.push(text);
        expected.origins.push(undefined);
      }
      expected.holes.push({ start, end: expected.lines.length });
    }
    for (; deletions[nextDeletion]?.before === index; nextDeletion += 1) {
      const { owner, base: range } = deletions[nextDeletion] as Deletion;
      expected.deletions.push({ before: atLine, owner, texts: new Set(base.slice(range.start, range.end)) });
    }
    if (line === undefined) continue;
    expected.lines.push(line.text);
    expected.origins.push(line);
  }
  return expected;
}

function placesOfAll(
  changes: readonly LineChange[],
  { expected, landed, steps }: { expected: Expected; landed: readonly string[]; steps: LineSteps },
): Place[] {
  return changes.flatMap((change) => {
    steps.spend(expected.deletions.length);
    return placesOf(change, expected, landed);
  });
}

/** The places that one difference between the merge and the landed text removes, alters or adds. */
function placesOf(change: LineChange, expected: Expected, landed: readonly string[]): Place[] {
  const gone = expected.origins.slice(change.start, change.end);
  const instead = { start: change.sideStart, end: change.sideEnd };
  const lines = landed.slice(instead.start, instead.end);
  // A hole may hold any lines, so these are no difference; undisputed lines missing beside it are.
  const isDecision = gone.includes(undefined);
  const isAltered = !isDecision && lines.some((line) => !expected.base.has(line));
  const places = [
    ...lostLines(gone, ['theirs', 'both'], isAltered ? instead : undefined),
    ...lostLines(gone, ['ours'], isAltered ? instead : undefined),
  ];
  if (places.length > 0) return places;
  const restored = restoredLines(change, expected, lines);
  if (restored !== undefined) return [{ ...restored, ...linesIn('landed', instead) }];
  const untouched = gone.flatMap((line) => (line?.owner === 'base' ? [line.at] : []));
  if (isDecision && untouched.length === 0) return [];
  if (lines.length === 0 || isDecision) return untouched.length === 0 ? [] : [removed(untouched)];
  return [
    {
      kind: untouched.length > 0 ? 'altered' : 'extra',
      reason: 'extra_content',
      ...linesIn('landed', instead),
    },
  ];
}

/** Lines of one side that are missing, or altered in some lines of the landed text. */
function lostLines(
  gone: readonly (UndisputedLine | undefined)[],
  owners: readonly Owner[],
  instead: Range | undefined,
): Place[] {
  const lost = gone.flatMap((line) => (line && owners.includes(line.owner) ? [line] : []));
  const [first, last] = [lost[0], lost.at(-1)];
  if (first === undefined || last === undefined) return [];
  const isSource = owners.includes('theirs');
  const reason = isSource ? 'source_change_missing' : 'target_change_undone';
  if (instead !== undefined) return [{ kind: 'altered', reason, ...linesIn('landed', instead) }];
  // A line that both sides have is located in the target.
  const file = isSource && first.owner === 'theirs' ? 'source' : 'target';
  const range = { start: first.at, end: last.at + 1 };
  return [{ kind: isSource ? 'missing' : 'undone', reason, ...linesIn(file, range) }];
}

/** Lines that a side had deleted, and that are back. */
function restoredLines(
  { start, end }: LineChange,
  { deletions }: Expected,
  lines: readonly string[],
): Pick<Deviation, 'kind' | 'reason'> | undefined {
  const found = deletions.find(
    ({ before, texts }) => before >= start && before <= end && lines.some((line) => texts.has(line)),
  );
  if (found === undefined) return undefined;
  return found.owner === 'ours'
    ? { kind: 'undone', reason: 'target_change_undone' }
    : { kind: 'missing', reason: 'source_change_missing' };
}

const removed = (at: readonly number[]): Place => ({
  kind: 'undone',
  reason: 'target_change_undone',
  isElsewhere: true,
  ...linesIn('target', { start: at[0] as number, end: (at.at(-1) as number) + 1 }),
});
