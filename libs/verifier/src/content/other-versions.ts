import type { ObjectStore } from '../changes/object-store';
import { isSameEntry, type TreeEntry } from '../pack/tree';
import type { DisputedPath } from './disputed-paths';
import { entriesAt } from '../changes/entries-at';
import { filesToMerge, mergeEntry } from '../merge/merged-entry';
import type { PathJudge } from './path-judge';

/** Commits looked at on either branch: whoever lands on a wrong base is rarely further behind. */
const COMMITS_MAX = 256;

/** The trees of a branch's commits since it diverged, newest first, and what is needed to compare their files. */
interface Branch {
  store: ObjectStore;
  judge: PathJudge;
  limits: { diffedFileBytes: number; diffedLines: number };
  treeIds: readonly string[];
}

/**
 * Whether some path landed as the merge onto an older commit of the target has it: then the landing was made on the
 * wrong base, and what had landed since is undone there.
 *
 * @param paths whose change by the target did not land as it was
 * @throws RemoteFailure
 */
export async function isMergedOntoOlder(paths: readonly DisputedPath[], branch: Branch): Promise<boolean> {
  const { store, judge, limits } = branch;
  for (const { path, older } of await versionsOf(paths, branch)) {
    const sides = older.map((ours) => ({ base: path.base, ours, theirs: path.theirs }));
    const merging = sides.flatMap((some) => Object.values(filesToMerge(some) ?? {}) as TreeEntry[]);
    await store.load(merging.map(({ id }) => id));
    for (const some of sides) {
      const merged = mergeEntry(some, judge.read, limits);
      if (merged.kind === 'clean' && isSameEntry(merged.entry, path.landed)) return true;
    }
  }
  return false;
}

/**
 * The paths whose undone state is none that others had landed: it comes from the source's own commits, which a rebase
 * lands one after the other.
 *
 * @throws RemoteFailure
 */
export async function undoneByItself(
  paths: readonly DisputedPath[],
  source: Branch,
): Promise<ReadonlySet<DisputedPath>> {
  const own = new Set<DisputedPath>();
  for (const { path, older } of await versionsOf(paths, source)) {
    const { base, ours } = path;
    await source.judge.load(older.map((theirs) => ({ ...path, theirs })));
    const isOwn = (version: TreeEntry | undefined) =>
      !isSameEntry(version, base) && source.judge.isCarried(base, version, ours) === true;
    if (older.some(isOwn)) own.add(path);
  }
  return own;
}

/** The different entries that a branch's commits have at each path. */
async function versionsOf(
  paths: readonly DisputedPath[],
  { store, treeIds }: Branch,
): Promise<{ path: DisputedPath; older: (TreeEntry | undefined)[] }[]> {
  if (paths.length === 0) return [];
  const names = paths.map(({ path }) => path);
  const entries = await entriesAt(store, [...new Set(treeIds.slice(0, COMMITS_MAX))], names);
  return paths.map((path) => {
    const versions = new Map<string, TreeEntry | undefined>();
    for (const tree of entries.values()) {
      const entry = tree.get(path.path);
      versions.set(`${entry?.mode} ${entry?.id}`, entry);
    }
    return { path, older: [...versions.values()] };
  });
}
