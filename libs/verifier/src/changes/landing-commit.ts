import type { Budget } from '../budget';
import { descendantsOf, firstParentChain } from '../history/commit-graph';
import type { Diverged, Divergence } from '../history/divergence';
import { fetchHistory } from '../history/fetch-history';
import { readChangeSet } from '../objects/change-set';
import { ObjectStore } from '../objects/object-store';
import type { RemoteRepository } from '../protocol/remote-repository';
import { CarrierSearch } from './carrier-search';

/** The inputs that the search for a landing needs to read the source. */
export interface SourceReading {
  remote: RemoteRepository;
  budget: Budget;
  sourceTip: string;
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

/** A commit of the target's chain that has another commit, as the first along first parents. */
interface Entry {
  commitId: string;
  parentIds: readonly string[];
  /** All commits between the two that have the other one. */
  descendants: ReadonlySet<string>;
}

/** @returns undefined if the target does not have the commit */
async function findEntry(
  targetTip: string,
  commitId: string,
  { remote }: Pick<SourceReading, 'remote'>,
): Promise<Entry | undefined> {
  const history = await fetchHistory(remote, { wants: [targetTip], haves: [commitId] });
  if (history === undefined) return undefined;
  const graph = history.commits;
  const descendants = descendantsOf(graph, commitId);
  const oldest = firstParentChain(graph, targetTip, (id) => descendants.has(id)).at(-1);
  if (oldest === undefined) return undefined;
  return { commitId: oldest, parentIds: graph.get(oldest)?.parentIds ?? [], descendants };
}

/**
 * The oldest commit of the target's chain that descends from the source tip, or the tip itself if it is on the chain.
 */
export async function findMerge(targetTip: string, reading: SourceReading): Promise<string | undefined> {
  const { sourceTip } = reading;
  if (targetTip === sourceTip) return sourceTip;
  const entry = await findEntry(targetTip, sourceTip, reading);
  if (entry === undefined) return undefined;
  const [first, merged] = entry.parentIds;
  // A merge whose first parent is the source may have brought it to its second parent, the target. Then that is the landing.
  const isOnChain = first === sourceTip && (merged === undefined || entry.descendants.has(merged));
  return isOnChain ? sourceTip : entry.commitId;
}

/** Finds the merge that brought a commit to the target. @returns undefined if the commit is on the target's own chain */
export async function findMergeOf(
  commitId: string,
  targetTip: string,
  reading: SourceReading,
): Promise<string | undefined> {
  if (commitId === targetTip) return undefined;
  const entry = await findEntry(targetTip, commitId, reading);
  return entry === undefined || entry.parentIds[0] === commitId ? undefined : entry.commitId;
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
