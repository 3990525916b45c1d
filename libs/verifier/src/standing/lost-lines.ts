import type { LineChange } from '../merge/line-changes';
import { findRun } from '../merge/text';
import { isDistinctive, withoutLayout } from '../undone/distinctive-lines';
import { LinePlaces } from '../undone/line-places';
import { findUndoneLines, type UndoneBlock } from '../undone/undone-lines';
import type { Text, Texts } from './texts';

/** Consecutive lines of a landing that one later commit lost, or that the landing had removed and that one brought back. */
export interface LostLines {
  in: 'landed' | 'tip';
  start: number;
  /** Exclusive. */
  end: number;
  isRestored: boolean;
  /** Whether the landing put them, or nothing, in the place of others. */
  isReplacement: boolean;
  /** The distinctive ones, without layout. */
  marks: string[];
  /** Place of the version that lacks them, or has them again. */
  lostIn: number;
  /** Where they are in the version before, or in that one if they are back; absent if they are changed there. */
  lostAt: { start: number; end: number } | undefined;
}

/** Lines of which a run in another place is no accident. */
const BACK_LINES_MIN = 3;

type Block = Pick<UndoneBlock, 'in' | 'start' | 'end' | 'lines'> & { isRestored: boolean };

/** The versions of a file: before a landing, then with it, and with each later commit up to the newest one. */
export interface LandedVersions {
  old: Text;
  /** The landing's first. A version that is no text has no lines. */
  versions: readonly Text[];
}

/**
 * Finds the lines of a landing that the newest version lacks, and those that it removed and that are back. Lines that are
 * elsewhere in the file, or in another layout, are there.
 *
 * @returns undefined if the versions are too tangled to compare
 * @throws RemoteFailure remote_too_large
 */
export function findLostLines({ old, versions }: LandedVersions, texts: Texts): LostLines[] | undefined {
  const [made, tip] = [versions[0], versions.at(-1)];
  if (made === undefined || tip === undefined) return [];
  const comparing = {
    changesBetween: texts.changes.between.bind(texts.changes),
    steps: texts.budget.texts.steps,
  };
  const gone = findUndoneLines({ old, made, target: made, landed: tip }, comparing);
  const hunks = texts.changes.between(old, made);
  if (gone === undefined || hunks === undefined) return undefined;
  const lost = gone
    .flatMap((block) => splitByLoss({ ...block, isRestored: block.restored !== undefined }, versions))
    .filter(
      ({ in: file, start, end }) => file === 'tip' || !isThere(made.lines.slice(start, end), { made, tip }),
    );
  const kept = hunks.filter((hunk) => !lost.some((lines) => isIn(lines, hunk)));
  const back = kept
    .flatMap((hunk) => findBack(hunk, { old, made, tip }))
    .flatMap((block) => splitByLoss(block, versions));
  return [...lost, ...back].map((lines) => {
    const replaced = hunks.filter(({ start, end }) => end > start);
    const isReplacement = lines.in === 'tip' || replaced.some((hunk) => isIn(lines, hunk));
    return { ...lines, isReplacement, lostAt: findLossPlace(lines, versions, texts) };
  });
}

type Lost = Omit<LostLines, 'lostAt' | 'isReplacement'>;

const isIn = ({ in: file, start, end }: Lost, { sideStart, sideEnd }: LineChange): boolean =>
  file === 'landed' && start >= sideStart && end <= sideEnd;

/**
 * The lines that a landing replaced and that are back, if the lines in their place are there too, or have no words.
 * Few such lines can be work of another kind.
 */
function findBack(
  { start, end, sideStart, sideEnd }: LineChange,
  { old, made, tip }: { old: Text; made: Text; tip: Text },
): Block[] {
  const before = old.lines.slice(start, end);
  const marks = before.filter((line) => isDistinctive(line)).length;
  const isPlain = !made.lines.slice(sideStart, sideEnd).some((line) => isDistinctive(line));
  if (sideStart === sideEnd || marks < (isPlain ? 1 : BACK_LINES_MIN)) return [];
  const at = findRun(tip.lines, before);
  if (at === undefined) return [];
  return [{ in: 'landed', start: at, end: at + before.length, lines: before, isRestored: true }];
}

/** The lines of a block that are lost, split by the versions that lost them. */
function splitByLoss(block: Block, versions: readonly Text[]): Lost[] {
  const groups: Lost[] = [];
  const file = block.in === 'target' ? 'landed' : 'tip';
  block.lines.forEach((written, index) => {
    const line = withoutLayout(written);
    const lostIn = isDistinctive(written) ? findLoss(line, { in: file, versions }) : undefined;
    if (lostIn === undefined) return;
    const at = block.start + index;
    const last = groups.at(-1);
    if (last?.lostIn === lostIn) {
      last.end = at + 1;
      last.marks.push(line);
    } else {
      groups.push({
        ...{ in: file, start: at, end: at + 1, isRestored: block.isRestored },
        ...{ marks: [line], lostIn },
      });
    }
  });
  return groups;
}

/**
 * The version since which a line is lost: it occurs less often in the newest version than in the landed one.
 *
 * @returns undefined if it is not lost
 */
function findLoss(
  line: string,
  { in: file, versions }: { in: LostLines['in']; versions: readonly Text[] },
): number | undefined {
  const countIn = (version: Text | undefined) => version?.counts.get(line) ?? 0;
  const newest = countIn(versions.at(-1));
  const hasIt = (version: Text) =>
    file === 'landed' ? countIn(version) > newest : countIn(version) < newest;
  const last = versions.findLastIndex(hasIt);
  return last < 0 || !hasIt(versions[0] as Text) ? undefined : last + 1;
}

/** Whether the newest version has these lines as often as the landed one, whatever line breaks are in them. */
function isThere(lines: readonly string[], { made, tip }: { made: Text; tip: Text }): boolean {
  const joined = lines.map(withoutLayout).join('');
  return countRuns(joined, tip) >= Math.max(1, countRuns(joined, made));
}

/** How often whole lines of a text make up a text without layout. */
function countRuns(joined: string, { lines }: Text): number {
  let text = '';
  const starts = new Set<number>();
  const ends = new Set<number>();
  for (const line of lines) {
    starts.add(text.length);
    text += withoutLayout(line);
    ends.add(text.length);
  }
  let count = 0;
  for (let at = text.indexOf(joined); at >= 0; at = text.indexOf(joined, at + 1)) {
    if (starts.has(at) && ends.has(at + joined.length)) count += 1;
  }
  return count;
}

function findLossPlace(
  { in: file, start, end, lostIn }: Lost,
  versions: readonly Text[],
  texts: Texts,
): LostLines['lostAt'] {
  const [from, to] =
    file === 'landed' ? [versions[0], versions[lostIn - 1]] : [versions.at(-1), versions[lostIn]];
  const changes = from && to && texts.changes.between(from, to);
  if (changes === undefined) return undefined;
  const places = new LinePlaces(changes);
  const found = [];
  for (let line = start; line < end; line += 1) found.push(places.of(line) ?? []);
  const lines = found.flat();
  const [first, last] = [lines[0], lines.at(-1)];
  return first === undefined || last === undefined ? undefined : { start: first, end: last + 1 };
}
