import type { ContentFinding } from '@plat/contracts/core';
import type { Budget } from '../budget';
import { renamesBetween } from '../merge/moved-paths';
import { isText, splitLines } from '../merge/text';
import { type FileChange, filesOf, readChangeSet } from '../objects/change-set';
import { entriesAt } from '../objects/entries-at';
import type { ObjectStore } from '../objects/object-store';
import { readTargetCommits } from '../objects/target-commits';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';
import type { LandedMerge } from './merge-reading';

/**
 * Most commits of the target that are compared, and most entries: for each commit two trees, times the files of the
 * source.
 */
const COMMITS_MAX = 1_000;
const ENTRIES_MAX = 100_000;

/** A file of the source that a commit of the target changed. */
interface Touched {
  commitId: string;
  file: FileChange;
  /** The entries before and after the commit. */
  old: TreeEntry | undefined;
  made: TreeEntry | undefined;
}

/**
 * Finds which commits of a target changed files of a source.
 *
 * @param commitIds of the target's chain, newest first; the newest 1,000 at most are compared
 * @param isMovedToo whether a file counts also at the path to which the target has moved it
 * @throws RemoteFailure
 */
export async function findTouched(
  commitIds: readonly string[],
  { landing, onto, divergence, store, budget }: LandedMerge,
  isMovedToo = false,
): Promise<Touched[]> {
  const [base] = divergence.bases;
  if (base === undefined || commitIds.length === 0) return [];
  const treeOf = (id: string) => store.commit(id).treeId;
  const source = { baseTreeId: treeOf(base), sourceTreeId: treeOf(landing.sourceTip) };
  const changes = await readChangeSet(store, source, budget.caps);
  if (changes === undefined) return [];
  const files = filesOf(changes);
  const newest = commitIds.slice(0, Math.min(COMMITS_MAX, Math.ceil(ENTRIES_MAX / 2 / files.length)));
  const commits = await readTargetCommits(newest, { graph: divergence.graph, store });
  const treeIds = [...new Set(commits.flatMap(({ before, treeId }) => [before, treeId]))];
  const trees = { base: source.baseTreeId, changed: treeOf(onto) };
  const movable = new Set(isMovedToo ? files.map(({ path }) => path) : []);
  const renames = await renamesBetween(trees, movable, { store, budget });
  const places = files.flatMap((file) => {
    const moved = renames === 'unclear' ? undefined : renames.get(file.path)?.path;
    return [file.path, moved].flatMap((path) => (path === undefined ? [] : { file, path }));
  });
  const entries = await entriesAt(store, treeIds, [...new Set(places.map(({ path }) => path))]);
  return commits.flatMap(({ commitId, before, treeId }) =>
    places.flatMap(({ file, path }): Touched[] => {
      const [old, made] = [before, treeId].map((id) => entries.get(id)?.get(path));
      return isSameEntry(old, made) ? [] : [{ commitId, file, old, made }];
    }),
  );
}

/**
 * Finds which commits of a target brought a part of a source: at a path that the source changes, they add or remove a line or a
 * mode as the source does there, or the same file if it has no lines.
 *
 * @returns a finding for each commit and path
 * @throws RemoteFailure
 */
export async function findBroughtParts(
  commitIds: readonly string[],
  merge: LandedMerge,
): Promise<ContentFinding[]> {
  const { store, budget } = merge;
  const touched = await findTouched(commitIds, merge);
  const texts = touched.flatMap(({ file, old, made }) => [file.base, file.source, old, made]);
  await store.load(texts.flatMap((entry) => (entry && isRegularFile(entry) ? entry.id : [])));
  const known = new Map<string, ReadonlySet<string>>();
  const partsOf = (entry: TreeEntry | undefined): ReadonlySet<string> => {
    const key = `${entry?.mode} ${entry?.id}`;
    const parts = known.get(key) ?? new Set(readParts(entry, store, budget));
    known.set(key, parts);
    budget.texts.steps.spend(parts.size);
    return parts;
  };
  return touched
    .filter(({ file: { base, source }, old, made }) => {
      const [from, to] = [base, source].map(partsOf) as [ReadonlySet<string>, ReadonlySet<string>];
      const [before, after] = [old, made].map(partsOf) as [ReadonlySet<string>, ReadonlySet<string>];
      const isAdded = (part: string) => !from.has(part) && !before.has(part) && after.has(part);
      const isRemoved = (part: string) => !to.has(part) && before.has(part) && !after.has(part);
      return [...to].some(isAdded) || [...from].some(isRemoved);
    })
    .map(findingOf);
}

export const findingOf = ({ commitId, file }: Touched): ContentFinding => ({
  kind: 'earlier',
  path: file.path,
  commitId,
});

/** The parts of a file: its mode, and its lines with a word, or its id if it has no lines. */
function readParts(entry: TreeEntry | undefined, store: ObjectStore, { texts }: Budget): string[] {
  if (entry === undefined) return [];
  const mode = `mode ${entry.mode}`;
  if (!isRegularFile(entry)) return [mode, entry.id];
  const content = store.read(entry.id, 'blob');
  const lines = isText(content, texts) ? splitLines(content).filter((line) => /\w/.test(line)) : [entry.id];
  return [mode, ...lines];
}
