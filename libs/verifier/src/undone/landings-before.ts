import { type CommitGraph, firstParentChain, reachableFrom } from '../history/commit-graph';
import { fetchHistoryAtOnce } from '../history/fetch-history';
import { ObjectStore } from '../objects/object-store';
import { readTargetCommits, type TargetCommit } from '../objects/target-commits';
import type { RemoteRepository } from '../protocol/remote-repository';
import type { UndoneWindow } from './undone-work';

/**
 * Generations of commits that are read of the target and the source: few at first, which say enough about a young source, and
 * otherwise as many as can be examined.
 */
const GENERATIONS = [192, 2_000];
/** Most landings that are examined. */
const LANDINGS_MAX = 1_000;
/** So many old landings in a row below the window show that no young one is below them. */
const OLD_LANDINGS_MIN = 32;
/** Most commits of the source along first parents, and most of all its commits that are looked at, the nearest to its tip. */
const SOURCE_COMMITS_MAX = 256;
const OWN_MAX = 1_024;
/** Most commits of the target on which commits of the source began. */
const PARTINGS_MAX = 16;
const DAY_SECONDS = 86_400;

export interface Sides {
  /** The target's commit before the landing. */
  onto: string;
  sourceTip: string;
  /** Landings of this many days are examined, even if the source parted from the target later. */
  days: number;
}

/** The two sides of a merge, as far as they concern earlier landings. */
export interface Histories {
  graph: CommitGraph;
  store: ObjectStore;
  /** Newest first. Landings that changed nothing are left out. */
  landings: TargetCommit[];
  window: UndoneWindow;
  sourceTip: string;
  /** The source's commits that the target does not have, of all branches that it merged, the nearest to its tip first. */
  own: string[];
  /** The commits of the target when the source parted from it; if it did so several times, at the first. */
  atParting: ReadonlySet<string>;
  /** All commits of the source. */
  ofSource: ReadonlySet<string>;
}

/**
 * Reads the landings that a source may take back: those since it parted from the target, and those of some days.
 *
 * @returns undefined if the source did not part from the target within the bounds
 * @throws RemoteFailure
 */
export async function readHistories(
  { onto, sourceTip, days }: Sides,
  remote: RemoteRepository,
): Promise<Histories | undefined> {
  for (const generations of GENERATIONS) {
    const wants = [...new Set([onto, sourceTip])];
    const pack = await fetchHistoryAtOnce(remote, { wants, haves: [], generations });
    const graph: CommitGraph = pack.commits;
    const chosen = chooseHistories(graph, { onto, sourceTip, days });
    if (generations !== GENERATIONS.at(-1) && !chosen?.isEnough) continue;
    if (chosen === undefined) return undefined;
    const { commitIds, isComplete, own, atParting, ofSource } = chosen;
    const store = new ObjectStore(remote, [pack]);
    // A commit of this history is sent without its directory.
    const landings = await readTargetCommits(commitIds, { graph, store });
    const oldestCommitId = commitIds.at(-1);
    const window = { landings: commitIds.length, oldestCommitId, isComplete };
    return { graph, store, landings, window, sourceTip, own, atParting, ofSource };
  }
  return undefined;
}

/** @returns undefined if the source did not part from the target within the graph */
function chooseHistories(graph: CommitGraph, { onto, sourceTip, days }: Sides) {
  const ofTarget = reachableFrom(graph, [onto]);
  const parting = partingOf(sourceTip, graph, ofTarget);
  if (parting === undefined) return undefined;
  const ofSource = reachableFrom(graph, [sourceTip]);
  const own = [...ofSource].filter((id) => !ofTarget.has(id) && graph.has(id)).slice(0, OWN_MAX);
  const atParting = commonOf(partingsOf(own, graph, ofTarget), graph) ?? reachableFrom(graph, [parting]);
  const { isEnough: hasLandings, ...landings } = chooseLandings(graph, { onto, atParting, days });
  const isEnough = hasLandings && isOlder(cutsOf(graph, [...ofTarget]), { than: own, graph });
  return { ...landings, own, atParting, ofSource, isEnough: isEnough && cutsOf(graph, own).length === 0 };
}

/** The commits of which the graph lacks a parent. */
const cutsOf = (graph: CommitGraph, ids: readonly string[]): string[] =>
  ids.filter((id) => graph.get(id)?.parentIds.some((parent) => !graph.has(parent)));

/** Whether commits are older than others: then no path from the ones leads around the graph to the others. */
function isOlder(
  ids: readonly string[],
  { than, graph }: { than: readonly string[]; graph: CommitGraph },
): boolean {
  const dateOf = (id: string) => graph.get(id)?.committedAt ?? 0;
  const oldest = than.reduce((date, id) => Math.min(date, dateOf(id)), Infinity);
  return ids.every((id) => dateOf(id) < oldest);
}

/** The target's commit at which the source's first parents end; undefined if they are too many. */
function partingOf(sourceTip: string, graph: CommitGraph, ofTarget: ReadonlySet<string>): string | undefined {
  const line = firstParentChain(graph, sourceTip, (id) => !ofTarget.has(id));
  const oldest = line.at(-1);
  const parting = oldest === undefined ? sourceTip : graph.get(oldest)?.parentIds[0];
  return line.length <= SOURCE_COMMITS_MAX && parting !== undefined && graph.has(parting)
    ? parting
    : undefined;
}

/** The target's commits on which the source's commits began. A merge begins nothing, in whatever order it has its parents. */
function partingsOf(own: readonly string[], graph: CommitGraph, ofTarget: ReadonlySet<string>): string[] {
  const partings = own.flatMap((id) => {
    const [parent, ...others] = graph.get(id)?.parentIds ?? [];
    return parent !== undefined && others.length === 0 && ofTarget.has(parent) ? [parent] : [];
  });
  return [...new Set(partings)].slice(0, PARTINGS_MAX);
}

/** The commits that all of some commits have; undefined if there is none of those. */
function commonOf(ids: readonly string[], graph: CommitGraph): ReadonlySet<string> | undefined {
  const [first, ...others] = ids.map((id) => reachableFrom(graph, [id]));
  return first && new Set([...first].filter((id) => others.every((of) => of.has(id))));
}

/**
 * The landings since the parting, and those of some days. A committer can write any date: one too early hides no landing below
 * it, and one in the future counts for none.
 */
function chooseLandings(
  graph: CommitGraph,
  { onto, atParting, days }: { onto: string; atParting: ReadonlySet<string>; days: number },
): { commitIds: string[]; isComplete: boolean; isEnough: boolean } {
  const dateOf = (id: string) => graph.get(id)?.committedAt ?? 0;
  const now = Math.floor(Date.now() / 1000);
  const since = Math.min(dateOf(onto), now) - days * DAY_SECONDS;
  const chain = firstParentChain(graph, onto, () => true);
  const isYoung = (id: string) => !atParting.has(id) || (dateOf(id) >= since && dateOf(id) <= now);
  const count = chain.findLastIndex(isYoung) + 1;
  const [first] = graph.get(chain.at(-1) ?? '')?.parentIds ?? [];
  const isCut = count === chain.length && first !== undefined;
  return {
    commitIds: chain.slice(0, Math.min(count, LANDINGS_MAX)),
    isComplete: count <= LANDINGS_MAX && !isCut,
    isEnough: first === undefined || chain.length - count >= OLD_LANDINGS_MIN,
  };
}
