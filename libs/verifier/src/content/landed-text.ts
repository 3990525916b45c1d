import type { LineSteps } from '../line-steps';
import { type LineChange, lineChanges } from '../merge/line-changes';
import type { Deletion, MergeTemplate, Owner, Range, UndisputedLine } from '../merge/merge-template';
import { type Deviation, linesIn } from './finding';

/** Stands for a hole: a line outside latin1, which no file can have. */
const HOLE = '\u0100';

type Place = Omit<Deviation, 'path'>;

/** The merge with one line for each hole, and the origin of its lines. */
interface Expected {
  lines: string[];
  /** Undefined for a hole. */
  origins: (UndisputedLine | undefined)[];
  deletions: { before: number; owner: Owner; texts: ReadonlySet<string> }[];
  base: ReadonlySet<string>;
}

/**
 * Finds where a landed text differs from the undisputed lines of its merge: missing or altered lines of the source,
 * undone or altered lines of the target, and lines of neither side.
 *
 * @returns undefined if the texts are too tangled to compare
 */
export function deviationsOf(
  template: MergeTemplate,
  { base, landed }: Record<'base' | 'landed', readonly string[]>,
  steps: LineSteps,
): Place[] | undefined {
  const expected = expectedOf(template, base);
  const changes = lineChanges(expected.lines, landed, steps);
  return changes?.flatMap((change) => {
    steps.spend(expected.deletions.length);
    return placesOf(change, expected, landed);
  });
}

function expectedOf({ lines, deletions, holes }: MergeTemplate, base: readonly string[]): Expected {
  const expected: Expected = { lines: [], origins: [], deletions: [], base: new Set(base) };
  let [nextHole, nextDeletion] = [0, 0];
  for (const [index, line] of [...lines, undefined].entries()) {
    const atLine = expected.lines.length;
    for (; holes[nextHole]?.before === index; nextHole += 1) {
      expected.lines.push(HOLE);
      expected.origins.push(undefined);
    }
    for (; deletions[nextDeletion]?.before === index; nextDeletion += 1) {
      const { owner, base: range } = deletions[nextDeletion] as Deletion;
      expected.deletions.push({ before: atLine, owner, texts: new Set(base.slice(range.start, range.end)) });
    }
    if (line === undefined) continue;
    expected.lines.push(line.text);
    // The merge leaves out what both sides changed alike.
    const isOfBoth = line.owner === 'base' && !expected.base.has(line.text);
    expected.origins.push(isOfBoth ? { ...line, owner: 'both' } : line);
  }
  return expected;
}

/** The places that one difference between the merge and the landed text removes, alters or adds. */
function placesOf(change: LineChange, expected: Expected, landed: readonly string[]): Place[] {
  const gone = expected.origins.slice(change.start, change.end);
  const instead = { start: change.sideStart, end: change.sideEnd };
  const lines = landed.slice(instead.start, instead.end);
  // A hole may hold any lines, so these are no difference; undisputed lines missing next to it are.
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
  ...linesIn('target', { start: at[0] as number, end: (at.at(-1) as number) + 1 }),
});
