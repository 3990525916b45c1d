import { type CommitGraph, reachableFrom } from '../history/commit-graph';
import { fetchHistoryAtOnce } from '../history/fetch-history';
import { ObjectStore } from '../objects/object-store';
import { readTargetCommits, type TargetCommit } from '../objects/target-commits';
import type { RemoteRepository } from '../protocol/remote-repository';
import type { UndoneWindow } from './undone-work';

/** Most generations of commits that are read of the target and the source, and most landings that are examined. */
const GENERATIONS_MAX = 2_000;
const LANDINGS_MAX = 1_000;
/** Most commits of the source along first parents. */
const SOURCE_COMMITS_MAX = 256;
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
  /** The source's commits along first parents that the target does not have, newest first. */
  sourceLine: string[];
  /** The commits of the target when the source parted from it. */
  atParting: ReadonlySet<string>;
  /** All commits of the source, and of the target. */
  ofSource: ReadonlySet<string>;
  ofTarget: ReadonlySet<string>;
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
  const range = { wants: [...new Set([onto, sourceTip])], haves: [], generations: GENERATIONS_MAX };
  const pack = await fetchHistoryAtOnce(remote, range);
  const graph: CommitGraph = pack.commits;
  const ofTarget = reachableFrom(graph, [onto]);
  const sourceLine: string[] = [];
  let parting: string | undefined = sourceTip;
  while (parting !== undefined && !ofTarget.has(parting)) {
    sourceLine.push(parting);
    if (sourceLine.length > SOURCE_COMMITS_MAX) return undefined;
    parting = graph.get(parting)?.parentIds[0];
  }
  if (parting === undefined || !graph.has(parting)) return undefined;
  const atParting = reachableFrom(graph, [parting]);
  const { commitIds, isComplete } = chooseLandings(graph, { onto, atParting, days });
  const store = new ObjectStore(remote, [pack]);
  // A commit of this history is sent without its directory.
  const landings = await readTargetCommits(commitIds, { graph, store });
  const oldestCommitId = commitIds.at(-1);
  const window = { landings: commitIds.length, oldestCommitId, isComplete };
  const ofSource = reachableFrom(graph, [sourceTip]);
  return { graph, store, landings, window, sourceLine, atParting, ofSource, ofTarget };
}

function chooseLandings(
  graph: CommitGraph,
  { onto, atParting, days }: { onto: string; atParting: ReadonlySet<string>; days: number },
): { commitIds: string[]; isComplete: boolean } {
  const since = (graph.get(onto)?.committedAt ?? 0) - days * DAY_SECONDS;
  const commitIds: string[] = [];
  for (let id: string | undefined = onto; id !== undefined;) {
    const commit = graph.get(id);
    const isOld = atParting.has(id) && (commit?.committedAt ?? 0) < since;
    if (isOld) return { commitIds, isComplete: true };
    if (commit === undefined || commitIds.length === LANDINGS_MAX) return { commitIds, isComplete: false };
    commitIds.push(id);
    id = commit.parentIds[0];
  }
  return { commitIds, isComplete: true };
}
