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
 * A rename alone never makes a landing divergent: where a file is not where the merge has it, but what each side did
 * is there, somebody or something found another way to bring a rename and an edit together.
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

/** The edit landed in the old place, and the renamed file beside it. */
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
 * One side deleted what the other one edited, and what it added landed with that edit: it is a rename, though too
 * little of the file is left for git to see it.
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

/** A file that one side added to a folder that the other one moved landed in the folder's new place. */
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

/** Files that each side moved to another place. */
interface MovedTogether {
  /** Where each side has it. */
  from: JudgedPath[];
  /** Where it landed. A decision about its lines is judged like any other decision. */
  joined: JudgedPath;
}

/** Each side moved the file to another place, and it landed in one of them with what both did to it. */
async function movedTogether(
  deviating: readonly JudgedPath[],
  apart: readonly MovedApart[],
  judge: PathJudge,
): Promise<MovedTogether[]> {
  const found: MovedTogether[] = [];
  for (const { base, ours, theirs } of apart) {
    const [there, other] = [ours, theirs].map(({ path }) =>
      deviating.find((each) => each.path.path === path),
    );
    const landed = there?.path.landed ?? other?.path.landed;
    if (!there || !other || !landed || (there.path.landed && other.path.landed)) continue;
    const path = { path: there.path.path, base, ours: ours.entry, theirs: theirs.entry, landed };
    await judge.loadAll([path]);
    const outcome = judge.judge(path);
    if (outcome.kind === 'same' || outcome.kind === 'decided') {
      found.push({ from: [there, other], joined: { path, outcome } });
    }
  }
  return found;
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
