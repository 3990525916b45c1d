import type { ObjectStore } from '../changes/object-store';
import { type CommitGraph, reachableFrom } from '../history/commit-graph';

/** Most commits of a source that are compared one by one. */
const SOURCE_COMMITS_MAX = 256;

/** A commit of a source, with the trees before and after it. */
export interface SourceCommit {
  before: string;
  treeId: string;
  /** Tree of the target's commit on which the source is made up to this commit: the last one that it merged before. */
  onto: string;
}

/** A merge of the target into a source. Ids of commits. */
export interface SourceMerge {
  commitId: string;
  /** The parent that is the source's own, and the merged commit of the target. */
  own: string;
  ofTarget: string;
}

/** A source's commits, oldest first, with the merges among them; or why they cannot be compared one by one. */
export type SourceLine =
  { commits: SourceCommit[]; merges: SourceMerge[]; isTipMerge: boolean } | 'too many' | 'branched';

/**
 * Reads the commits of a source along first parents, down to the target's. Merges of the target into the source are
 * apart, because a rebase leaves them out.
 *
 * @throws RemoteFailure
 */
export async function sourceLine(
  store: ObjectStore,
  { graph, sourceTip, onto }: { graph: CommitGraph; sourceTip: string; onto: string },
): Promise<SourceLine> {
  const ofTarget = reachableFrom(graph, [onto]);
  const line: SourceCommit[] = [];
  const merges: SourceMerge[] = [];
  /** The commits since the last merge of the target, as seen from the tip. */
  let sinceMerge: Omit<SourceCommit, 'onto'>[] = [];
  const standOn = (onto: string) => {
    line.push(...sinceMerge.map((commit) => ({ ...commit, onto })));
    sinceMerge = [];
  };
  let id = sourceTip;
  while (!ofTarget.has(id)) {
    const commit = graph.get(id);
    const [parentId, merged, ...others] = commit?.parentIds ?? [];
    if (commit === undefined || parentId === undefined || others.length > 0) return 'branched';
    if (merged === undefined) {
      sinceMerge.push({ before: parentId, treeId: commit.treeId });
    } else if (!ofTarget.has(merged)) {
      return 'branched';
    } else {
      merges.push({ commitId: id, own: parentId, ofTarget: merged });
      standOn(merged);
    }
    if (line.length + sinceMerge.length > SOURCE_COMMITS_MAX) return 'too many';
    id = parentId;
  }
  standOn(id);
  await store.loadCommits(line.flatMap(({ before, onto }) => [before, onto]));
  const treeOf = (commitId: string) => store.commit(commitId).treeId;
  const commits = line
    .map(({ before, treeId, onto }) => ({ before: treeOf(before), treeId, onto: treeOf(onto) }))
    .reverse();
  return { commits, merges, isTipMerge: merges[0]?.commitId === sourceTip };
}
