import type { ObjectStore } from '../changes/object-store';
import { type CommitGraph, reachableFrom } from '../history/commit-graph';

/** Most commits of a source that are compared one by one. */
const SOURCE_COMMITS_MAX = 256;

/** A commit of a source, with the trees before and after it. */
export interface SourceCommit {
  before: string;
  treeId: string;
}

/** A source's commits, oldest first; or why they cannot be compared one by one. */
export type SourceLine = SourceCommit[] | 'too many' | 'branched';

/**
 * Reads the commits of a source along first parents, down to the target's. It leaves out merges of the target into the
 * source, as a rebase does. A source whose tip is a merge is `branched`: the merge may have decided conflicts.
 *
 * @throws RemoteFailure
 */
export async function sourceLine(
  store: ObjectStore,
  { graph, sourceTip, onto }: { graph: CommitGraph; sourceTip: string; onto: string },
): Promise<SourceLine> {
  const ofTarget = reachableFrom(graph, [onto]);
  const line: { before: string; treeId: string }[] = [];
  for (let id = sourceTip; !ofTarget.has(id);) {
    const commit = graph.get(id);
    const [parentId, ...merged] = commit?.parentIds ?? [];
    if (commit === undefined || parentId === undefined) return 'branched';
    const isMerge = merged.length > 0;
    if (isMerge && (id === sourceTip || !merged.every((each) => ofTarget.has(each)))) return 'branched';
    if (!isMerge) line.push({ before: parentId, treeId: commit.treeId });
    if (line.length > SOURCE_COMMITS_MAX) return 'too many';
    id = parentId;
  }
  await store.loadCommits(line.map(({ before }) => before));
  return line.map(({ before, treeId }) => ({ before: store.commit(before).treeId, treeId })).reverse();
}
