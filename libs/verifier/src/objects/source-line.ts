import { type CommitGraph, reachableFrom } from '../history/commit-graph';
import type { ObjectStore } from './object-store';

/** Most commits of a source that are compared one by one. */
const SOURCE_COMMITS_MAX = 256;

/** A commit by the trees before and after it. */
export interface Change {
  before: string;
  treeId: string;
}

/** A merge of the target into a source. Ids of commits. */
export interface SourceMerge {
  commitId: string;
  /** The parent that is the source's own, and the merged commit of the target. */
  own: string;
  ofTarget: string;
}

/** A commit of a source. */
export interface SourceCommit extends Change {
  /** How many merges of the target are below it in the source. */
  merges: number;
}

/** The commits of a source, oldest first, without those that change nothing, and the merges among them. */
export interface SourceLine {
  commits: SourceCommit[];
  merges: SourceMerge[];
}

/**
 * Reads the commits of a source along first parents, down to the target's. Merges of the target into the source are apart,
 * because a rebase leaves them out.
 *
 * @returns undefined if it merged another branch than the target, or has too many commits
 * @throws RemoteFailure
 */
export async function readSourceLine(
  store: ObjectStore,
  { graph, sourceTip, onto }: { graph: CommitGraph; sourceTip: string; onto: string },
): Promise<SourceLine | undefined> {
  const ofTarget = reachableFrom(graph, [onto]);
  const found: { parentId: string; treeId: string; above: number }[] = [];
  const merges: SourceMerge[] = [];
  for (let id = sourceTip; !ofTarget.has(id);) {
    const commit = graph.get(id);
    const [parentId, merged, ...others] = commit?.parentIds ?? [];
    if (commit === undefined || parentId === undefined || others.length > 0) return undefined;
    if (merged === undefined) found.push({ parentId, treeId: commit.treeId, above: merges.length });
    else if (ofTarget.has(merged)) merges.push({ commitId: id, own: parentId, ofTarget: merged });
    else return undefined;
    if (found.length > SOURCE_COMMITS_MAX) return undefined;
    id = parentId;
  }
  await store.loadCommits(found.map(({ parentId }) => parentId));
  const commits = found
    .map(({ parentId, treeId, above }) => {
      return { before: store.commit(parentId).treeId, treeId, merges: merges.length - above };
    })
    .filter(({ before, treeId }) => before !== treeId);
  return { commits: commits.reverse(), merges };
}
