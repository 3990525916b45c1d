import type { Budget } from '../budget';
import { filesOf, readChangeSet } from '../changes/change-set';
import { entriesAt } from '../changes/entries-at';
import type { Versions } from '../merge/versions';
import type { LandedPath } from './landed-path';
import type { JudgedPath } from './settled-moves';
import { findWrongBase, type LandedPaths, type OlderCommit, type OlderCommits } from './wrong-base';

export interface BeforeSearch extends Omit<OlderCommits, 'commits' | 'isBefore'> {
  trees: Required<Versions<string>>;
  budget: Budget;
  /** Reads the commits before the parting of the branches, newest first. Absent if they are not to be searched. */
  before: (() => Promise<readonly OlderCommit[]>) | undefined;
}

/**
 * Finds the wrong base of a landing among the commits older than the merge base, but only if a conflict was decided
 * with a line that none of the sides has. The source's change is from the merge base, so a path that the target does not
 * have otherwise since then may still differ on the older commit.
 *
 * @throws RemoteFailure
 */
export async function findBaseBefore(
  decided: readonly JudgedPath[],
  { open, others }: LandedPaths,
  { before, trees, budget, ...older }: BeforeSearch,
): Promise<OlderCommit | undefined> {
  if (before === undefined || !decided.some(hasWrittenLine)) return undefined;
  const commits = await before();
  if (commits.length === 0) return undefined;
  const known = new Set([...open, ...others].map(({ path }) => path));
  const ofSource = await pathsOfSource(known, { trees, budget, store: older.store });
  const paths = { open, others: [...others, ...ofSource] };
  return (await findWrongBase(paths, { ...older, commits, isBefore: true }))?.commit;
}

/** Whether a decision has a line that neither side and not even the base has. */
function hasWrittenLine({ outcome }: JudgedPath): boolean {
  if (outcome.kind !== 'decided' || outcome.text === undefined) return false;
  const { decisions, landed, texts } = outcome.text;
  const known = new Set([...texts.base, ...texts.ours, ...texts.theirs]);
  return decisions.some(({ start, end }) => landed.slice(start, end).some((line) => !known.has(line)));
}

/** The paths that the source changed, without the known ones. */
async function pathsOfSource(
  known: ReadonlySet<string>,
  { trees, budget, store }: Pick<BeforeSearch, 'trees' | 'budget' | 'store'>,
): Promise<LandedPath[]> {
  const changes = await readChangeSet(
    store,
    { baseTreeId: trees.base, sourceTreeId: trees.theirs },
    budget.caps,
  );
  const files = changes === undefined ? [] : filesOf(changes).filter(({ path }) => !known.has(path));
  const names = files.map(({ path }) => path);
  const entries = await entriesAt(store, [trees.ours, trees.landed], names);
  return files.map(({ path, base, source }) => ({
    path,
    base,
    ours: entries.get(trees.ours)?.get(path),
    theirs: source,
    landed: entries.get(trees.landed)?.get(path),
  }));
}
