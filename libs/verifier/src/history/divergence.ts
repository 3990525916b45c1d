import type { Budget } from '../budget';
import type { Commit } from '../pack/commit';
import type { DecodedPack } from '../pack/decoded-pack';
import type { RemoteRepository } from '../protocol/remote-repository';
import { RemoteFailure, tooLarge, unreadable } from '../remote-failure';
import { type CommitGraph, firstParentChain, reachableFrom } from './commit-graph';
import { fetchHistoryAtOnce } from './fetch-history';

/** Most commits at which the branches may have parted of which objects are read before the target's commits are here. */
const EARLY_COMMITS_MAX = 8;

/** The relation of a source branch to its target. */
export type Divergence =
  | { relation: 'landed' }
  | { relation: 'unrelated' }
  | {
      relation: 'diverged';
      /** The merge bases: common ancestors that no other common ancestor descends from. */
      bases: string[];
      /** The target's first-parent commits that are not common ancestors, newest first. */
      chain: string[];
      graph: CommitGraph;
      /** The received packs; without a filter on the server they include files and directories. */
      packs: DecodedPack[];
    };

export type Diverged = Extract<Divergence, { relation: 'diverged' }>;

/** A question about two branches of one remote. */
export interface Asked {
  remote: RemoteRepository;
  sourceTip: string;
  targetTip: string;
  budget: Budget;
  /**
   * Reads what the comparison needs of both tips and of the commits at which the source seems to have parted. It runs
   * while the target's commits arrive.
   *
   * @param ahead the source's side
   * @returns the packs that it fetched
   */
  readEarly?: ((ahead: DecodedPack, parted: readonly string[]) => Promise<DecodedPack[]>) | undefined;
}

/**
 * Requests both sides at once: the commits that the source has and the target lacks, and the reverse.
 *
 * The result is exact even if commit dates are wrong: a server that stops early sends too many commits, never too few,
 * so the common ancestors are the commits that parent edges of the received commits reach from both tips. A commit that
 * the server left out counts as common only if both tips reach it.
 *
 * @throws RemoteFailure
 */
export async function findDivergence(asked: Asked): Promise<Divergence> {
  const { remote, sourceTip, targetTip, budget } = asked;
  if (remote.capabilities.version === 0) return findInWholeHistory(asked);
  const sourceSide = fetchHistoryAtOnce(remote, { wants: [sourceTip], haves: [targetTip] });
  const [ahead, behind, early] = await Promise.all([
    sourceSide,
    fetchHistoryAtOnce(remote, { wants: [targetTip], haves: [sourceTip] }),
    sourceSide.then((received) => readEarly(asked, received)),
  ]);
  const boundary = leftOutOf(ahead, sourceTip);
  if (boundary.length > budget.caps.boundaryCommits) {
    throw tooLarge('source branch touches the target too often');
  }
  const packs = [ahead, behind];
  const divergence = compare(asked, packs);
  // The server claims that the target has all of the source; the walk from the target's tip has to confirm it.
  if (!ahead.commits.has(sourceTip) && divergence.relation !== 'landed') {
    throw unreadable('server contradicts itself');
  }
  if (divergence.relation !== 'diverged') return divergence;
  const proven = await proveCommon(asked, divergence);
  const bases = await keepMaximal(asked, proven.bases);
  return { ...proven, bases, packs: [...proven.packs, ...early] };
}

/**
 * Lets the asker read what it is likely to need. The source's side arrives long before that of a target with many
 * commits, so this saves round trips. Nothing that it reads proves anything about the history. A failure is left to the
 * request that needs the objects.
 */
async function readEarly({ sourceTip, remote, readEarly: read }: Asked, ahead: DecodedPack) {
  // Without a filter the server would send all files.
  if (read === undefined || !remote.capabilities.filter || !ahead.commits.has(sourceTip)) return [];
  const parted = leftOutOf(ahead, sourceTip);
  if (parted.length === 0 || parted.length > EARLY_COMMITS_MAX) return [];
  try {
    return await read(ahead, parted);
  } catch (error) {
    if (error instanceof RemoteFailure) return [];
    throw error;
  }
}

/** The commits to which parent edges lead from the tip, and which were not received. */
function leftOutOf({ commits }: DecodedPack, tip: string): string[] {
  return [...reachableFrom(commits, [tip])].filter((id) => !commits.has(id));
}

/** Finds the divergence in the whole history of both branches, for a server that sends no commit by id. */
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
 * Proves that the commits that the server left out are common to both sides. A shallow, grafted or malicious server
 * leaves out more, and the merge base would seem older than it is. Common commits lie below a merge base, so the remote
 * is asked for the commits from the merge bases down to every commit that was left out of one side only.
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
    // The received commits reach the topmost open ones; the next round asks for the commits below these.
    tops = open.filter((id) => !left.includes(id));
    if (tops.length === 0) throw unreadable('history with a gap');
    open = left;
  }
  return proven;
}

/** The commits that were not received and to which parent edges lead from exactly one side. */
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

/**
 * Keeps the candidates that are no ancestors of others. The received commits need not connect the candidates, so the
 * remote is asked for the commits between them.
 */
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
