import { descendantsOf } from '../history/commit-graph';
import { fetchHistory } from '../history/fetch-history';
import type { Commit } from '../pack/commit';
import { findMerge, searchIn, type SourceReading } from './landing-commit';
import { broughtByMerge } from './merged-into';
import { type SourceStep, stepsOf } from './source-steps';

/** Commits before a reported one that are looked at one by one. */
const COMMITS_MAX = 16;

/** A landing that was reported, with the merge before it in its queue. */
export interface ReportedLanding {
  commitId: string;
  commit: Commit;
  anchorCommitId?: string | undefined;
}

/** What else may have brought a source to its target than the commit that was reported. Ids. */
export interface OtherLandings {
  /** The merge commit that has the source, or the source itself; or one that a search by content finds. */
  certain?: string;
  /** After the anchor nothing brought it, for it was there. */
  wasThere: boolean;
  /** What the reported commit did to the source's files. */
  reported: SourceStep;
  /** Commits before it, newest first; none of which something was taken back since in these files. */
  standing: SourceStep[];
}

/**
 * The commits that may have brought what a queue's report names, if the reported one is empty or somebody else's that
 * came after the landing. What the anchor has is no landing of this review.
 *
 * @throws RemoteFailure
 */
export async function findOtherLandings(
  { commitId, commit, anchorCommitId }: ReportedLanding,
  reading: SourceReading,
): Promise<OtherLandings> {
  const [onto] = commit.parentIds;
  const reported: SourceStep = { commitId, touches: true, brings: true, isTakenBack: false };
  const nobody: OtherLandings = { wasThere: false, reported, standing: [] };
  const { sourceTip, budget } = reading;
  if (onto === undefined || commit.parentIds.length > 1) return nobody;
  const divergence = await reading.divergenceFrom(onto);
  if (divergence.relation === 'unrelated') return nobody;
  if (divergence.relation === 'landed') {
    const certain = await findMerge(onto, reading);
    const isLater = certain !== undefined && (await isAfter(certain, anchorCommitId, reading));
    return { ...nobody, ...(isLater ? { certain } : { wasThere: true }) };
  }
  const { store, search, trees, changes } = await searchIn(divergence, reading);
  if (search === undefined || changes === undefined) return nobody;
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
  return { ...(isFound && { certain: found }), wasThere, reported: own, standing };
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
  { remote }: SourceReading,
): Promise<boolean> {
  if (anchorCommitId === undefined) return true;
  if (anchorCommitId === commitId) return false;
  const history = await fetchHistory(remote, { wants: [anchorCommitId], haves: [commitId] });
  return history === undefined || !descendantsOf(history.commits, commitId).has(anchorCommitId);
}
