import type { Budget } from '../budget';
import type { Commit } from '../pack/commit';
import type { DecodedPack } from '../pack/decoded-pack';
import type { RemoteRepository } from '../protocol/remote-repository';
import { tooLarge, unreadable } from '../remote-failure';
import { type CommitGraph, firstParentChain, reachableFrom } from './commit-graph';
import { fetchHistoryAtOnce } from './fetch-history';

/** How a source branch stands to its target. */
export type Divergence =
  | { relation: 'landed' }
  | { relation: 'unrelated' }
  | {
      relation: 'diverged';
      /** The merge bases: common ancestors that no other common ancestor descends from. */
      bases: string[];
      /** The target's commits along first parents that are no common ancestors, newest first. */
      chain: string[];
      graph: CommitGraph;
      /** What was received on the way; without a filter, files and directories are in there too. */
      packs: DecodedPack[];
    };

export type Diverged = Extract<Divergence, { relation: 'diverged' }>;

/** A question about two branches of one remote. */
export interface Asked {
  remote: RemoteRepository;
  sourceTip: string;
  targetTip: string;
  budget: Budget;
}

/**
 * Both sides are asked for at once: what the source has and the target has not, and the other way round.
 *
 * Exact also when commit dates lie: a server that stops early sends too many commits, never too few, so the
 * ancestors common to both are those that the parent edges of all received commits reach from both tips. That what
 * was left out is common to both is not believed: it has to be reached from both as well.
 *
 * @throws RemoteFailure
 */
export async function findDivergence(asked: Asked): Promise<Divergence> {
  const { remote, sourceTip, targetTip, budget } = asked;
  if (remote.capabilities.version === 0) return findInWholeHistory(asked);
  const [ahead, behind] = await Promise.all([
    fetchHistoryAtOnce(remote, { wants: [sourceTip], haves: [targetTip] }),
    fetchHistoryAtOnce(remote, { wants: [targetTip], haves: [sourceTip] }),
  ]);
  const boundary = [...reachableFrom(ahead.commits, [sourceTip])].filter((id) => !ahead.commits.has(id));
  if (boundary.length > budget.caps.boundaryCommits) {
    throw tooLarge('source branch touches the target too often');
  }
  const packs = [ahead, behind];
  const divergence = compare(asked, packs);
  // The server says that the target has all of the source; the walk from the target's tip has to show it.
  if (!ahead.commits.has(sourceTip) && divergence.relation !== 'landed') {
    throw unreadable('server contradicts itself');
  }
  if (divergence.relation !== 'diverged') return divergence;
  const proven = await proveCommon(asked, divergence);
  return { ...proven, bases: await keepMaximal(asked, proven.bases) };
}

/** The same from everything that both branches have, for a server that hands out nothing by id. */
export async function findInWholeHistory(asked: Asked): Promise<Divergence> {
  const { remote, sourceTip, targetTip } = asked;
  const everything = { wants: [sourceTip, targetTip], haves: [], complete: true };
  const divergence = compare(asked, [await fetchHistoryAtOnce(remote, everything)]);
  if (divergence.relation === 'diverged' && leftOutOfOne(asked, divergence.graph).length > 0) {
    throw unreadable('history with a gap');
  }
  return divergence;
}

/**
 * A server leaves out what it takes for common to both; a shallow, grafted or lying one leaves out more, and the
 * merge base would seem older than it is. What is common lies below a merge base: the remote is asked for the commits
 * from these down to whatever was left out of one side only.
 */
async function proveCommon(asked: Asked, divergence: Diverged): Promise<Diverged> {
  const { remote, budget } = asked;
  let proven = divergence;
  let tops = divergence.bases;
  for (let open = leftOutOfOne(asked, proven.graph); open.length > 0;) {
    if (open.length > budget.caps.boundaryCommits) throw tooLarge('branches touch each other too often');
    const between = await fetchHistoryAtOnce(remote, { wants: tops, haves: open });
    const compared = compare(asked, [...proven.packs, between]);
    if (compared.relation !== 'diverged') throw unreadable('server contradicts itself');
    proven = compared;
    const left = leftOutOfOne(asked, proven.graph);
    // The topmost of them are reached now; what lies below these is asked for from there.
    tops = open.filter((id) => !left.includes(id));
    if (tops.length === 0) throw unreadable('history with a gap');
    open = left;
  }
  return proven;
}

/** The commits that were not received, although a parent edge of one of the two sides leads there. */
function leftOutOfOne({ sourceTip, targetTip }: Asked, graph: CommitGraph): string[] {
  const [ofSource, ofTarget] = [reachableFrom(graph, [sourceTip]), reachableFrom(graph, [targetTip])];
  const reached = new Set([...ofSource, ...ofTarget]);
  return [...reached].filter((id) => !graph.has(id) && !(ofSource.has(id) && ofTarget.has(id)));
}

function compare(asked: Asked, packs: DecodedPack[]): Divergence {
  const graph = new Map<string, Commit>(packs.flatMap((pack) => [...pack.commits]));
  const ofTarget = reachableFrom(graph, [asked.targetTip]);
  if (ofTarget.has(asked.sourceTip)) return { relation: 'landed' };
  const common = [...reachableFrom(graph, [asked.sourceTip])].filter((id) => ofTarget.has(id));
  if (common.length === 0) return { relation: 'unrelated' };

  const older = new Set(common.flatMap((id) => graph.get(id)?.parentIds ?? []));
  const bases = common.filter((id) => !older.has(id));
  const shared = new Set(common);
  const chain = firstParentChain(graph, asked.targetTip, (id) => !shared.has(id));
  return { relation: 'diverged', bases, chain, graph, packs };
}

/** What was received need not connect the common ancestors with each other: the remote is asked for what lies between. */
async function keepMaximal(asked: Asked, candidates: string[]): Promise<string[]> {
  let maximal = candidates;
  for (const id of candidates) {
    const others = maximal.filter((other) => other !== id);
    if (others.length > 0 && (await isAncestorOfAny(asked, id, others))) maximal = others;
  }
  return maximal;
}

async function isAncestorOfAny({ remote }: Asked, id: string, others: string[]): Promise<boolean> {
  const between = await fetchHistoryAtOnce(remote, { wants: others, haves: [id] });
  return reachableFrom(between.commits, others).has(id);
}
