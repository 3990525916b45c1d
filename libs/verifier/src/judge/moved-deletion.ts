import type { Budget } from '../budget';
import { CarrierSearch } from '../changes/carrier-search';
import type { CommitGraph } from '../history/commit-graph';
import { renamesBetween } from '../merge/moved-paths';
import { type ChangedDirectory, filesOf } from '../objects/change-set';
import { entriesAt } from '../objects/entries-at';
import type { ObjectStore } from '../objects/object-store';

interface Change {
  store: ObjectStore;
  changes: ChangedDirectory;
  budget: Budget;
}

/** The target's commits that may have brought the change, newest first, and the tree of its tip. */
interface Target {
  candidates: readonly string[];
  graph: CommitGraph;
  targetTreeId: string;
}

/**
 * Whether a source deletes files and does nothing else, and the target has one of them at another path: it moved the file,
 * and git's merge of the two is a conflict. So nothing of the source has landed, although its paths are gone.
 *
 * @throws RemoteFailure
 */
export async function isOnlyMoved(
  { store, changes, budget }: Change,
  { candidates, graph, targetTreeId }: Target,
): Promise<boolean> {
  const files = filesOf(changes);
  if (files.some(({ source }) => source !== undefined)) return false;
  const bringing = await new CarrierSearch(store, changes, budget).findBringing(candidates, graph);
  const commit = bringing === undefined ? undefined : graph.get(bringing);
  const [parentId] = commit?.parentIds ?? [];
  if (commit === undefined || parentId === undefined) return false;
  await store.loadCommits([parentId]);
  const trees = { base: store.commit(parentId).treeId, changed: commit.treeId };
  const renames = await renamesBetween(trees, new Set(files.map(({ path }) => path)), { store, budget });
  if (renames === 'unclear' || renames.size === 0) return false;
  const paths = [...renames.values()].map(({ path }) => path);
  const now = (await entriesAt(store, [targetTreeId], paths)).get(targetTreeId);
  return (now?.size ?? 0) > 0;
}
