import { type CommitGraph, firstParentChain } from '../history/commit-graph';
import { fetchHistoryAtOnce } from '../history/fetch-history';
import { ObjectStore } from '../objects/object-store';
import type { RemoteRepository } from '../protocol/remote-repository';
import type { AskedLanding, StandingQuestion } from './standing';

/** Most generations of commits that are read. */
const GENERATIONS_MAX = 2_000;

/** A commit of the target's first-parent chain, with the id of its tree. */
export interface ChainCommit {
  commitId: string;
  treeId: string;
}

/** A landing with its place in the target's chain. */
export interface PlacedLanding {
  /** Ids of the trees before and after it. */
  before: string;
  treeId: string;
  /** The commits of the chain since then, oldest first. */
  since: readonly ChainCommit[];
  broughtBy: string;
}

/**
 * Reads the target's first-parent chain and finds the places of landings in it.
 *
 * @returns undefined in place of a landing that is not found within the bounds
 * @throws RemoteFailure
 */
export async function readChain(
  { tip, landings }: StandingQuestion,
  remote: RemoteRepository,
): Promise<{ tipTreeId: string; placed: (PlacedLanding | undefined)[]; store: ObjectStore }> {
  const pack = await fetchHistoryAtOnce(remote, { wants: [tip], haves: [], generations: GENERATIONS_MAX });
  const graph: CommitGraph = pack.commits;
  const store = new ObjectStore(remote, [pack]);
  await store.loadCommits([tip]);
  const chain = firstParentChain(graph, tip, () => true)
    .map((commitId) => ({ commitId, treeId: graph.get(commitId)?.treeId ?? '' }))
    .reverse();
  const places = placesOf(chain, { graph, wanted: new Set(landings.map(({ commitId }) => commitId)) });
  const parents = landings.map((landing) => parentOf(landing, graph));
  await store.loadCommits(parents.flatMap((id) => (id === undefined || graph.has(id) ? [] : id)));
  const placed = landings.map(({ commitId }, index): PlacedLanding | undefined => {
    const [parent, place] = [parents[index], places.get(commitId)];
    const treeId = graph.get(commitId)?.treeId;
    if (parent === undefined || place === undefined || treeId === undefined) return undefined;
    const broughtBy = chain[place]?.commitId ?? commitId;
    const since = chain.slice(broughtBy === commitId ? place + 1 : place);
    return { before: graph.get(parent)?.treeId ?? store.commit(parent).treeId, treeId, since, broughtBy };
  });
  return { tipTreeId: store.commit(tip).treeId, placed, store };
}

const parentOf = ({ commitId, firstCommitId = commitId }: AskedLanding, graph: CommitGraph) =>
  graph.get(firstCommitId)?.parentIds[0];

/** The place of the chain's commit that brought each wanted commit. @param chain oldest first */
function placesOf(
  chain: readonly ChainCommit[],
  { graph, wanted }: { graph: CommitGraph; wanted: ReadonlySet<string> },
): Map<string, number> {
  const onChain = new Map(chain.map(({ commitId }, place) => [commitId, place]));
  const found = new Map([...onChain].filter(([id]) => wanted.has(id)));
  if (found.size === wanted.size) return found;
  const reached = new Set<string>();
  chain.forEach(({ commitId }, place) => {
    const open = [commitId];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (reached.has(id)) continue;
      reached.add(id);
      if (wanted.has(id) && !found.has(id)) found.set(id, place);
      open.push(...(graph.get(id)?.parentIds ?? []));
    }
  });
  return found;
}
