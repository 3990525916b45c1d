import type { Budget } from '../budget';
import { CarrierSearch } from '../changes/carrier-search';
import { readChangeSet } from '../changes/change-set';
import { ObjectStore } from '../changes/object-store';
import { descendantsOf, firstParentChain } from '../history/commit-graph';
import { findDivergence } from '../history/divergence';
import { fetchHistory } from '../history/fetch-history';
import type { Commit } from '../pack/commit';
import type { RemoteRepository } from '../protocol/remote-repository';

interface Landed {
  remote: RemoteRepository;
  budget: Budget;
  targetTip: string;
  sourceTip: string;
}

/**
 * The commit with which a source came to be in the target's history, along first parents: the source tip itself, the
 * merge that brought it, or the oldest commit that carries its change set.
 *
 * @returns undefined when there is none
 * @throws RemoteFailure
 */
export async function findLandingCommit(landed: Landed): Promise<string | undefined> {
  const { remote, targetTip, sourceTip } = landed;
  if (targetTip === sourceTip) return sourceTip;
  const history = await fetchHistory(remote, { wants: [targetTip], haves: [sourceTip] });
  const merged = history && findMerge(history.commits, landed);
  return merged ?? findOldestCarrier(landed);
}

/** The oldest commit of the target's chain that descends from the source tip, which may be on the chain itself. */
function findMerge(graph: ReadonlyMap<string, Commit>, { targetTip, sourceTip }: Landed): string | undefined {
  const descendants = descendantsOf(graph, sourceTip);
  const chain = firstParentChain(graph, targetTip, (id) => descendants.has(id));
  const oldest = chain.at(-1);
  if (oldest === undefined) return undefined;
  return graph.get(oldest)?.parentIds[0] === sourceTip ? sourceTip : oldest;
}

async function findOldestCarrier({
  remote,
  budget,
  targetTip,
  sourceTip,
}: Landed): Promise<string | undefined> {
  const divergence = await findDivergence({ remote, budget, targetTip, sourceTip });
  if (divergence.relation !== 'diverged' || divergence.bases.length === 0) return undefined;
  const { bases, chain, graph, packs } = divergence;
  const store = new ObjectStore(remote, packs);
  await store.loadCommits(bases);
  const baseTreeId = store.commit(bases[0] as string).treeId;
  const trees = { baseTreeId, sourceTreeId: store.commit(sourceTip).treeId };
  const changes = await readChangeSet(store, trees, budget.caps);
  return changes && new CarrierSearch(store, changes, budget.caps).find(chain.toReversed(), graph);
}
