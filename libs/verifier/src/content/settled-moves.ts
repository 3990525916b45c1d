import type { ObjectStore } from '../changes/object-store';
import type { Versions } from '../merge/versions';
import { isSameEntry } from '../pack/tree';
import type { LandedPath } from './landed-path';
import { MovedFolders } from './moved-folder';
import type { MovedApart } from './moved-paths';
import type { PathJudge, PathOutcome } from './path-judge';

export interface JudgedPath {
  path: LandedPath;
  outcome: PathOutcome;
}

/** The trees of a landing, in which the entries of folders are looked up. */
interface Places {
  store: ObjectStore;
  trees: Required<Versions<string>>;
}

const MOVED: PathOutcome = { kind: 'moved' };

/**
 * Marks deviations as `moved` where git's merge has a conflict of a rename, and the landing has both sides' changes at one
 * of the paths between which a person has to choose.
 *
 * @throws RemoteFailure
 */
export async function settleMoves(
  judged: readonly JudgedPath[],
  apart: readonly MovedApart[],
  { judge, ...places }: Places & { judge: PathJudge },
): Promise<JudgedPath[]> {
  const deviating = judged.filter(({ outcome }) => outcome.kind === 'deviates');
  if (deviating.length === 0) return [...judged];
  const together = await findMovedTogether(deviating, apart, judge);
  const moved = new Set<JudgedPath>([
    ...findMovedUnseen(judged, deviating, judge),
    ...(await findMovedAlong(deviating, places)),
    ...together.flatMap(({ from }) => from),
  ]);
  return [
    ...judged.map((each) => (moved.has(each) ? { ...each, outcome: MOVED } : each)),
    ...together.map(({ joined }) => joined),
  ];
}

/**
 * Finds pairs of a file that one side deleted and the other one edited, and a file that the deleting side added and that
 * landed with the edit: a rename that git does not see, because too little of the file is left.
 */
function findMovedUnseen(
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
 * Finds files that one side added to a folder, and that landed in the new place to which the other side moved the folder.
 * Each such file explains one landed path, and each landed path is the explanation of one file.
 */
async function findMovedAlong(
  deviating: readonly JudgedPath[],
  { store, trees }: Places,
): Promise<JudgedPath[]> {
  const lost = deviating.filter(({ path }) => path.isBelowRemoved === true && path.landed === undefined);
  const brought = deviating.filter(({ path }) => !path.base && !path.ours && !path.theirs);
  const folders = new MovedFolders(store, trees);
  const moved = new Set<JudgedPath>();
  for (const from of lost) {
    const entry = from.path.ours ?? from.path.theirs;
    const mover = from.path.ours ? 'theirs' : 'ours';
    for (const to of brought) {
      const isSame = isSameEntry(to.path.landed, entry) && nameOf(to.path.path) === nameOf(from.path.path);
      if (!isSame || moved.has(to)) continue;
      if (!(await folders.isMoved({ from: folderOf(from.path.path), to: folderOf(to.path.path) }, mover))) {
        continue;
      }
      moved.add(from).add(to);
      break;
    }
  }
  return [...moved];
}

/** Files that both sides moved to different paths. */
interface MovedTogether {
  /** The deviating paths of both sides. */
  from: JudgedPath[];
  /** The file under its path in the target. A decision about its lines is judged like any other decision. */
  joined: JudgedPath;
}

/** Finds files that both sides moved to different paths, and that landed at one of them with both sides' changes. */
async function findMovedTogether(
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

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');
