import { filesOf, readChangeSet } from '../changes/change-set';
import { entriesAt } from '../changes/entries-at';
import { ObjectStore } from '../changes/object-store';
import { descendantsOf, reachableFrom } from '../history/commit-graph';
import type { Diverged } from '../history/divergence';
import { fetchHistory } from '../history/fetch-history';
import type { Commit } from '../pack/commit';
import { isSameEntry } from '../pack/tree';
import { findMerge, searchIn, type SourceReading } from './landing-commit';
import { broughtByMerge } from './merged-into';
import { type SourceStep, stepsOf } from './source-steps';

/** Most commits before a reported one that are examined one by one. */
const COMMITS_MAX = 16;

/** A reported landing, with the merge before it in its queue. */
export interface ReportedLanding {
  commitId: string;
  commit: Commit;
  anchorCommitId?: string | undefined;
}

/** The other commits that may have brought a source to its target. Ids. */
export interface OtherLandings {
  /** The merge commit that has the source, the source itself, or a commit that the search by content finds. */
  certain?: string;
  /** No commit after the anchor brought the source, because it was there before. */
  wasThere: boolean;
  /** The step of the reported commit: what it did to the source's files. */
  reported: SourceStep;
  /** Commits before the reported one, newest first, without those of which a file has its old content again. */
  standing: SourceStep[];
  /** The commits before the reported one that brought a part of the source, whatever became of it. Ids. */
  parts: string[];
}

/**
 * Finds the commits that may have brought the source of a queue's report, if the reported commit is empty or a later,
 * unrelated one. A commit that the anchor contains is no landing of this review.
 *
 * @throws RemoteFailure
 */
export async function findOtherLandings(
  { commitId, commit, anchorCommitId }: ReportedLanding,
  reading: SourceReading,
): Promise<OtherLandings> {
  const [onto, merged] = commit.parentIds;
  const reported: SourceStep = { commitId, touches: true, brings: true, isTakenBack: false };
  const none: OtherLandings = { wasThere: false, reported, standing: [], parts: [] };
  const { sourceTip, budget } = reading;
  if (onto === undefined || commit.parentIds.length > 2) return none;
  const divergence = await reading.divergenceFrom(onto);
  if (divergence.relation === 'unrelated') return none;
  if (divergence.relation === 'landed') {
    const certain = await findMerge(onto, reading);
    const isStanding =
      certain !== undefined &&
      (await isAfter(certain, anchorCommitId, reading)) &&
      !(await isTakenBackSince(certain, { commit, anchorCommitId }, reading));
    return { ...none, ...(isStanding ? { certain } : { wasThere: true }) };
  }
  if (merged !== undefined && (await bringsCommits(merged, { onto, divergence }, reading))) return none;
  const { store, search, trees, changes } = await searchIn(divergence, reading);
  if (search === undefined || changes === undefined) return none;
  await store.loadCommits([onto, sourceTip]);
  const target = store.commit(onto).treeId;
  const bases = divergence.bases.map((id) => [id, store.commit(id)] as const);
  const graph = new Map([...divergence.graph, ...bases, [commitId, commit] as const]);
  const asked = { graph, store, changes, target, budget };
  const since = sinceAnchor(divergence.chain, anchorCommitId);
  const [own = reported, ...steps] = await stepsOf([commitId, ...since.slice(0, COMMITS_MAX)], asked);
  const standing = steps.filter(({ isTakenBack }) => !isTakenBack);
  const found = await search.findBringing(since, graph);
  const [carrier] = found === undefined ? [] : await stepsOf([found], asked);
  const before = divergence.chain.slice(since.length, since.length + 1);
  const isOlder = found === since.at(-1) && (await search.find(before, graph)) !== undefined;
  const isFound = found !== undefined && !carrier?.isTakenBack && !isOlder;
  const wasThere = (await broughtByMerge(store, { ...trees, ours: target }, budget)) === 'nothing';
  const parts = steps.filter(({ brings }) => brings).map((step) => step.commitId);
  return { certain: isFound ? found : undefined, wasThere, reported: own, standing, parts };
}

/** The target's commits after the anchor, newest first; all of them if the anchor is not among them. */
function sinceAnchor(chain: readonly string[], anchorCommitId: string | undefined): readonly string[] {
  const anchor = anchorCommitId === undefined ? -1 : chain.indexOf(anchorCommitId);
  return anchor < 0 ? chain : chain.slice(0, anchor);
}

/** Whether a merged branch contains commits of the source that the commit onto which it was merged lacks. */
async function bringsCommits(
  merged: string,
  { onto, divergence }: { onto: string; divergence: Diverged },
  { divergenceFrom, sourceTip }: SourceReading,
): Promise<boolean> {
  const other = await divergenceFrom(merged);
  if (other.relation !== 'diverged') return other.relation === 'landed';
  const { graph } = divergence;
  const [ofSource, ofTarget] = [reachableFrom(graph, [sourceTip]), reachableFrom(graph, [onto])];
  return other.bases.some((id) => ofSource.has(id) && !ofTarget.has(id));
}

/** Whether some file that the landing changed has its old content again in the reported commit. */
async function isTakenBackSince(
  certain: string,
  { commit, anchorCommitId }: Pick<ReportedLanding, 'commit' | 'anchorCommitId'>,
  { remote, budget, sourceTip }: SourceReading,
): Promise<boolean> {
  const store = new ObjectStore(remote);
  await store.loadCommits([certain]);
  const landed = store.commit(certain);
  // If the source tip itself is on the target's chain, the landing is all commits since the anchor, not only the tip.
  const before = certain === sourceTip ? (anchorCommitId ?? landed.parentIds[0]) : landed.parentIds[0];
  if (before === undefined) return false;
  await store.loadCommits([before]);
  const trees = { baseTreeId: store.commit(before).treeId, sourceTreeId: landed.treeId };
  const made = await readChangeSet(store, trees, budget.caps);
  const files = made === undefined ? [] : filesOf(made);
  const paths = files.map(({ path }) => path);
  const now = (await entriesAt(store, [commit.treeId], paths)).get(commit.treeId);
  return files.some(({ path, base }) => isSameEntry(base, now?.get(path)));
}

/** Whether the anchor does not contain the commit. */
async function isAfter(
  commitId: string,
  anchorCommitId: string | undefined,
  { remote, sourceTip }: SourceReading,
): Promise<boolean> {
  // Without an anchor, a source on the target's chain can be an old commit of it that brought nothing.
  if (anchorCommitId === undefined) return commitId !== sourceTip;
  if (anchorCommitId === commitId) return false;
  const history = await fetchHistory(remote, { wants: [anchorCommitId], haves: [commitId] });
  return history === undefined || !descendantsOf(history.commits, commitId).has(anchorCommitId);
}
