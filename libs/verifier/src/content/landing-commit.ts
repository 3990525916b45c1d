import type { Budget } from '../budget';
import { CarrierSearch } from '../changes/carrier-search';
import { readChangeSet } from '../changes/change-set';
import { ObjectStore } from '../changes/object-store';
import { descendantsOf, firstParentChain } from '../history/commit-graph';
import type { Diverged, Divergence } from '../history/divergence';
import { fetchHistory } from '../history/fetch-history';
import type { Commit } from '../pack/commit';
import type { RemoteRepository } from '../protocol/remote-repository';
import { broughtByMerge } from './merged-into';

interface Reading {
  remote: RemoteRepository;
  budget: Budget;
  sourceTip: string;
  divergenceFrom(targetTip: string): Promise<Divergence>;
}

/**
 * The commit with which a source came to be in the target's history, along first parents: the source tip itself, the
 * merge that brought it, or the commit with which its change set came.
 *
 * @returns undefined when there is none
 * @throws RemoteFailure
 */
export async function findLandingCommit(
  landed: Reading & { targetTip: string },
): Promise<string | undefined> {
  const { targetTip, sourceTip } = landed;
  if (targetTip === sourceTip) return sourceTip;
  return (await findMerge(targetTip, landed)) ?? findBringing(targetTip, landed);
}

/** A landing that was reported, with the merge before it in its queue. */
export interface ReportedLanding {
  commitId: string;
  commit: Commit;
  anchorCommitId?: string | undefined;
}

/**
 * The commit that brought what a queue's report names: mostly the reported one. It is another one where that is empty,
 * or somebody else's that came after the landing; what the anchor has is no landing of this review.
 *
 * @returns undefined when nothing after the anchor brought it, though it is there
 * @throws RemoteFailure
 */
export async function findReportedLanding(
  { commitId, commit, anchorCommitId }: ReportedLanding,
  reading: Reading,
): Promise<string | undefined> {
  const [onto] = commit.parentIds;
  const { sourceTip, budget } = reading;
  if (commitId === sourceTip || onto === undefined || isMergeOf(sourceTip, commit)) return commitId;
  const divergence = await reading.divergenceFrom(onto);
  if (divergence.relation === 'unrelated') return commitId;
  if (divergence.relation === 'landed') {
    const merge = await findMerge(onto, reading);
    return merge !== undefined && (await isAfter(merge, anchorCommitId, reading)) ? merge : undefined;
  }
  const { store, search, trees } = await searchIn(divergence, reading);
  await store.loadCommits([onto]);
  const ours = store.commit(onto).treeId;
  const brought = await broughtByMerge(store, { ...trees, ours }, budget);
  // Something is absent there, so it was for the reported commit to bring it.
  if (search === undefined || brought === 'something') return commitId;
  const since = sinceAnchor(divergence.chain, anchorCommitId);
  const found = await search.findBringing(since, divergence.graph);
  const before = divergence.chain.slice(since.length, since.length + 1);
  const wasThere = found === since.at(-1) && (await search.find(before, divergence.graph)) !== undefined;
  if (found !== undefined && !wasThere) return found;
  // Decisions by hand are found by no search.
  return brought === 'contradictions' && found === undefined ? commitId : undefined;
}

function isMergeOf(sourceTip: string, { parentIds }: Commit): boolean {
  return parentIds.length > 1 && parentIds.includes(sourceTip);
}

/** The target's commits after the anchor, newest first; all of them where it is none of these. */
function sinceAnchor(chain: readonly string[], anchorCommitId: string | undefined): readonly string[] {
  const anchor = anchorCommitId === undefined ? -1 : chain.indexOf(anchorCommitId);
  return anchor < 0 ? chain : chain.slice(0, anchor);
}

/** Whether the anchor has not got the commit yet. */
async function isAfter(
  commitId: string,
  anchorCommitId: string | undefined,
  { remote }: Reading,
): Promise<boolean> {
  if (anchorCommitId === undefined) return true;
  if (anchorCommitId === commitId) return false;
  const history = await fetchHistory(remote, { wants: [anchorCommitId], haves: [commitId] });
  return history === undefined || !descendantsOf(history.commits, commitId).has(anchorCommitId);
}

/** The oldest commit of the target's chain that descends from the source tip, which may be on the chain itself. */
async function findMerge(targetTip: string, { remote, sourceTip }: Reading): Promise<string | undefined> {
  if (targetTip === sourceTip) return sourceTip;
  const history = await fetchHistory(remote, { wants: [targetTip], haves: [sourceTip] });
  if (history === undefined) return undefined;
  const graph = history.commits;
  const descendants = descendantsOf(graph, sourceTip);
  const chain = firstParentChain(graph, targetTip, (id) => descendants.has(id));
  const oldest = chain.at(-1);
  if (oldest === undefined) return undefined;
  return graph.get(oldest)?.parentIds[0] === sourceTip ? sourceTip : oldest;
}

async function findBringing(targetTip: string, reading: Reading): Promise<string | undefined> {
  const divergence = await reading.divergenceFrom(targetTip);
  if (divergence.relation !== 'diverged' || divergence.bases.length === 0) return undefined;
  const { search } = await searchIn(divergence, reading);
  return search?.findBringing(sinceBase(divergence), divergence.graph);
}

/** What the target had before it had the base is no landing. */
function sinceBase({ chain, graph, bases }: Diverged): string[] {
  const since = descendantsOf(graph, bases[0] as string);
  return chain.filter((id) => since.has(id));
}

/** Where the source's change set, since the first merge base, is looked for. */
async function searchIn({ bases, packs }: Diverged, { remote, budget, sourceTip }: Reading) {
  const store = new ObjectStore(remote, packs);
  await store.loadCommits([...bases, sourceTip]);
  const trees = { base: store.commit(bases[0] as string).treeId, theirs: store.commit(sourceTip).treeId };
  const ids = { baseTreeId: trees.base, sourceTreeId: trees.theirs };
  const changes = await readChangeSet(store, ids, budget.caps);
  return { store, trees, search: changes && new CarrierSearch(store, changes, budget) };
}
