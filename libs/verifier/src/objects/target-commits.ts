import type { CommitGraph } from '../history/commit-graph';
import type { ObjectStore } from './object-store';

/** A commit of the target that changes something, by the trees before and after it. */
export interface TargetCommit {
  commitId: string;
  before: string;
  treeId: string;
  isMerge: boolean;
}

/** Reads the trees of some commits of the target's chain. @throws RemoteFailure */
export async function readTargetCommits(
  commitIds: readonly string[],
  { graph, store }: { graph: CommitGraph; store: ObjectStore },
): Promise<TargetCommit[]> {
  const parents = commitIds.flatMap((id) => graph.get(id)?.parentIds[0] ?? []);
  await store.loadCommits(parents.filter((id) => !graph.has(id)));
  const treeOf = (id: string) => graph.get(id)?.treeId ?? store.commit(id).treeId;
  return commitIds.flatMap((commitId): TargetCommit[] => {
    const commit = graph.get(commitId);
    const [parentId, ...others] = commit?.parentIds ?? [];
    if (commit === undefined || parentId === undefined) return [];
    const before = treeOf(parentId);
    const { treeId } = commit;
    return before === treeId ? [] : [{ commitId, before, treeId, isMerge: others.length > 0 }];
  });
}
