import type { Budget } from '../budget';
import { descendantsOf } from '../history/commit-graph';
import type { Diverged, Divergence } from '../history/divergence';
import { fetchHistory } from '../history/fetch-history';
import { readChangeSet } from '../objects/change-set';
import { ObjectStore } from '../objects/object-store';
import type { RemoteRepository } from '../protocol/remote-repository';
import { CarrierSearch } from './carrier-search';
import { type AnchoredBelow, targetParent } from './target-line';

/** The inputs that the search for a landing needs to read the source. */
export interface SourceReading {
  remote: RemoteRepository;
  budget: Budget;
  sourceTip: string;
  /** Whether a commit has the merge before this one in its queue; for one tip, and undefined if there is no such merge. */
  anchoredBelow?: AnchoredBelow | undefined;
  /** The divergence between a commit of the target and the source; computed once for each commit. */
  divergenceFrom(targetTip: string): Promise<Divergence>;
}

/**
 * Finds the commit that brought a source into the target's history, along first parents: the source tip itself, the
 * merge that brought it, or the commit that brought its change set.
 *
 * @returns undefined if there is none
 * @throws RemoteFailure
 */
export async function findLandingCommit(
  landed: SourceReading & { targetTip: string },
): Promise<string | undefined> {
  const { targetTip, sourceTip } = landed;
  if (targetTip === sourceTip) return sourceTip;
  return (await findMerge(targetTip, landed)) ?? findBringing(targetTip, landed);
}

/** A commit of the target's own line that has another commit, as the first on that line. */
interface Entry {
  commitId: string;
  /** The commit before it on the line. */
  parentId: string | undefined;
}

/** @returns undefined if the target does not have the commit, or had it at the merge before */
async function findEntry(
  targetTip: string,
  commitId: string,
  { remote, sourceTip, anchoredBelow }: SourceReading,
): Promise<Entry | undefined> {
  const history = await fetchHistory(remote, { wants: [targetTip], haves: [commitId] });
  if (history === undefined) return undefined;
  const descendants = descendantsOf(history.commits, commitId);
  const anchored = await anchoredBelow?.(targetTip);
  for (let id = targetTip; descendants.has(id) && id !== anchored?.anchorCommitId;) {
    const parentIds = history.commits.get(id)?.parentIds ?? [];
    const [first, merged] = parentIds;
    // A merge of a branch that was made from the source has the source on both sides.
    const isMadeFromIt = first === sourceTip && merged !== undefined && descendants.has(merged);
    const parentId = isMadeFromIt ? first : targetParent(parentIds, sourceTip, anchored);
    if (parentId === undefined || !descendants.has(parentId)) return { commitId: id, parentId };
    id = parentId;
  }
  return undefined;
}

/**
 * The oldest commit of the target's line that descends from the source tip, or the tip itself if it is on that line.
 */
export async function findMerge(targetTip: string, reading: SourceReading): Promise<string | undefined> {
  const { sourceTip } = reading;
  if (targetTip === sourceTip) return sourceTip;
  const entry = await findEntry(targetTip, sourceTip, reading);
  return entry?.parentId === sourceTip ? sourceTip : entry?.commitId;
}

/** Finds the merge that brought a commit to the target. @returns undefined if the commit is on the target's own line */
export async function findMergeOf(
  commitId: string,
  targetTip: string,
  reading: SourceReading,
): Promise<string | undefined> {
  if (commitId === targetTip) return undefined;
  const entry = await findEntry(targetTip, commitId, reading);
  return entry?.parentId === commitId ? undefined : entry?.commitId;
}

async function findBringing(targetTip: string, reading: SourceReading): Promise<string | undefined> {
  const divergence = await reading.divergenceFrom(targetTip);
  if (divergence.relation !== 'diverged' || divergence.bases.length === 0) return undefined;
  const search = await searchIn(divergence, reading);
  return search?.findBringing(sinceBase(divergence), divergence.graph);
}

/** The chain since the base: a commit that the target had before the base is no landing. */
function sinceBase({ chain, graph, bases }: Diverged): string[] {
  const since = descendantsOf(graph, bases[0] as string);
  return chain.filter((id) => since.has(id));
}

/** Prepares the search for the change set of the source since the first merge base. */
async function searchIn(
  { bases, packs }: Diverged,
  { remote, budget, sourceTip }: SourceReading,
): Promise<CarrierSearch | undefined> {
  const store = new ObjectStore(remote, packs);
  await store.loadCommits([...bases, sourceTip]);
  const treeOf = (id: string) => store.commit(id).treeId;
  const trees = { baseTreeId: treeOf(bases[0] as string), sourceTreeId: treeOf(sourceTip) };
  const changes = await readChangeSet(store, trees, budget.caps);
  return changes && new CarrierSearch(store, changes, budget);
}
