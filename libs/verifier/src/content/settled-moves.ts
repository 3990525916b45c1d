import { isSameEntry } from '../pack/tree';
import type { LandedPath } from './landed-path';
import type { MovedApart } from './moved-paths';
import type { PathJudge, PathOutcome } from './path-judge';

export interface JudgedPath {
  path: LandedPath;
  outcome: PathOutcome;
}

const MOVED: PathOutcome = { kind: 'moved' };

/**
 * Marks deviations that a rename explains as `moved`. A rename alone never makes a landing divergent: if a file is not
 * at the merge's path, but both sides' changes are there, the rename and the edit were joined in another way than
 * git's.
 */
export async function settleMoves(
  judged: readonly JudgedPath[],
  apart: readonly MovedApart[],
  judge: PathJudge,
): Promise<JudgedPath[]> {
  const deviating = judged.filter(({ outcome }) => outcome.kind === 'deviates');
  if (deviating.length === 0) return [...judged];
  const together = await movedTogether(deviating, apart, judge);
  const moved = new Set<JudgedPath>([
    ...keptInPlace(deviating),
    ...movedUnseen(judged, deviating, judge),
    ...movedAlong(deviating),
    ...together.flatMap(({ from }) => from),
  ]);
  return [
    ...judged.map((each) => (moved.has(each) ? { ...each, outcome: MOVED } : each)),
    ...together.map(({ joined }) => joined),
  ];
}

/** Pairs in which the edit landed at the old path, and the renamed file beside it. */
function keptInPlace(deviating: readonly JudgedPath[]): JudgedPath[] {
  return deviating.flatMap((joined) => {
    const { path } = joined;
    const { renamedFrom, renamedBy } = path;
    if (renamedFrom === undefined || renamedBy === undefined || renamedBy === 'both') return [];
    const old = deviating.find((each) => each.path.path === renamedFrom);
    const edited = renamedBy === 'ours' ? path.theirs : path.ours;
    const isKept = old && isSameEntry(old.path.landed, edited) && isSameEntry(path.landed, path[renamedBy]);
    return isKept ? [old, joined] : [];
  });
}

/**
 * Pairs of a file that one side deleted and the other one edited, and a file that the deleting side added and that
 * landed with the edit: a rename that git does not see, because too little of the file is left.
 */
function movedUnseen(
  judged: readonly JudgedPath[],
  deviating: readonly JudgedPath[],
  judge: PathJudge,
): JudgedPath[] {
  const deleted = judged.filter(({ path }) => path.base && !path.ours !== !path.theirs && !path.landed);
  const added = deviating.filter(({ path }) => !path.base && path.landed && !path.ours !== !path.theirs);
  return added.flatMap((to) =>
    deleted.flatMap((from) => {
      const mover = to.path.ours ? 'ours' : 'theirs';
      const keeper = mover === 'ours' ? 'theirs' : 'ours';
      const [kept, base] = [from.path[keeper], from.path.base];
      if (from.path[mover] !== undefined || kept === undefined || base === undefined) return [];
      return judge.isMovedWithEdit({ ...to.path, base, [keeper]: kept }, mover) ? [from, to] : [];
    }),
  );
}

/**
 * Pairs in which a file that one side added to a folder landed in the new place to which the other side moved the
 * folder.
 */
function movedAlong(deviating: readonly JudgedPath[]): JudgedPath[] {
  const lost = deviating.filter(({ path }) => path.isBelowRemoved === true && path.landed === undefined);
  const brought = deviating.filter(({ path }) => !path.base && !path.ours && !path.theirs);
  return lost.flatMap((from) => {
    const entry = from.path.ours ?? from.path.theirs;
    const to = brought.find(
      ({ path }) => isSameEntry(path.landed, entry) && nameOf(path.path) === nameOf(from.path.path),
    );
    return to ? [from, to] : [];
  });
}

/** Files that both sides moved to different paths. */
interface MovedTogether {
  /** The deviating paths of both sides. */
  from: JudgedPath[];
  /** The file under its path in the target. A decision about its lines is judged like any other decision. */
  joined: JudgedPath;
}

/** Finds files that both sides moved to different paths, and that landed at one of them with both sides' changes. */
async function movedTogether(
  deviating: readonly JudgedPath[],
  apart: readonly MovedApart[],
  judge: PathJudge,
): Promise<MovedTogether[]> {
  const found: MovedTogether[] = [];
  for (const { base, ours, theirs, landed: at } of apart) {
    const from = deviating.filter(({ path: { path } }) => path === ours.path || path === theirs.path);
    const landed = at.ours ?? at.theirs;
    // A path that landed as its side has it does not deviate.
    if (from.length === 0 || !landed || (at.ours && at.theirs)) continue;
    const path = { path: ours.path, base, ours: ours.entry, theirs: theirs.entry, landed };
    await judge.loadAll([path]);
    const outcome = judge.judge(path);
    if (outcome.kind === 'same' || outcome.kind === 'decided') {
      found.push({ from, joined: { path, outcome } });
    }
  }
  return found;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
