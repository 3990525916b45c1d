import { findMerge, findMergeOf } from '../changes/landing-commit';
import { descendantsOf } from '../history/commit-graph';
import { fetchHistory } from '../history/fetch-history';
import { bringsNothing, compareWithMerge } from '../merge/merge-trees';
import { ObjectStore } from '../objects/object-store';
import type { DecodedPack } from '../pack/decoded-pack';
import { findBroughtParts, findingOf, findTouched } from './brought-parts';
import { byHand, type Judged, type Judgement, sameChange, unknown } from './content-verdict';
import { judgeLanding } from './judge-landing';
import { judgeTrees } from './judge-trees';
import { type LandedMerge, type Landing, readLandedMerge, readTargetParent } from './merge-reading';
import { findSteps } from './source-steps';

/** A landing that a queue reported. */
export interface ReportedLanding extends Landing {
  /** The merge before it in its queue. A commit that it contains is no landing of this review. */
  anchorCommitId?: string | undefined;
  /** The tip of the target; undefined if its branch is gone. */
  targetTip: string | undefined;
}

/**
 * The verdict on a reported commit, with the commits between it and the merge before it in its queue: they may have brought a
 * part of the source, or all of it.
 *
 * @throws RemoteFailure
 */
export async function judgeReported(reported: ReportedLanding): Promise<Judged> {
  const { anchorCommitId, commitId, sourceTip } = reported;
  if (commitId === sourceTip) return judgeSource(reported);
  const own = await judgeLanding(reported);
  const isSound = own.verdict === 'EXACT' || own.verdict === 'SAME_CHANGE';
  if (isSound && (await isLostInMerge(reported))) return unknown('landing_not_found');
  if (anchorCommitId === commitId) return own;
  if (isSound) return (await judgeEarlier(own, reported)) ?? own;
  return (await judgeOther(own, reported)) ?? own;
}

/** Whether the commit is on a side branch, and the merge that brought that to the target lacks a part of its change. */
async function isLostInMerge(reported: ReportedLanding): Promise<boolean> {
  const { commitId, targetTip } = reported;
  const mergeId = targetTip && (await findMergeOf(commitId, targetTip, reported));
  if (!mergeId) return false;
  return !(await new LaterCommit(await readLandingAt(mergeId, reported), commitId).hasAll([commitId]));
}

/** The verdict if the source's own tip was reported: it is on the target, unless only a merge brought it there. */
async function judgeSource(reported: ReportedLanding): Promise<Judged> {
  const { sourceTip, targetTip } = reported;
  const landedCommitId = targetTip && (await findMerge(targetTip, reported));
  if (!landedCommitId) return unknown('landing_not_found');
  if (landedCommitId === sourceTip) return { verdict: 'EXACT' };
  const judged = await judgeLanding(await readLandingAt(landedCommitId, reported));
  return judged.verdict === 'EXACT' ? judged : { ...judged, landedCommitId };
}

/** The verdict on a sound landing if other commits brought a part of the source before it. */
async function judgeEarlier(own: Judgement, reported: ReportedLanding): Promise<Judgement | undefined> {
  const { anchorCommitId } = reported;
  // Without a merge before it in its queue, the commits before are the target's history, which may have the same line.
  if (anchorCommitId === undefined) return undefined;
  const merge = await readLandedMerge(reported);
  if (typeof merge === 'string') return undefined;
  const since = commitsSince(anchorCommitId, merge.divergence.chain);
  const touched = await findTouched(since, merge);
  if (touched.length === 0 && own.verdict === 'EXACT') return undefined;
  const [parts, steps] = [await findBroughtParts(since, merge), await findSteps(merge, new Set())];
  // A step of lines that the file has elsewhere as well brings no part.
  const isStepped = steps.isWhole && steps.commitIds.length > 1;
  if (parts.length === 0 && own.verdict === 'EXACT' && !isStepped) return undefined;
  await merge.store.loadCommits([anchorCommitId]);
  // The changes that a rebase left out have to be older than the anchor. Otherwise a commit brought them that is no step.
  const isOlder = await steps.wereThere(merge.store.commit(anchorCommitId).treeId);
  const brought = isOlder ? parts : touched.map(findingOf);
  const others = brought.filter(({ commitId = '' }) => !steps.commitIds.includes(commitId));
  return others.length === 0 ? sameChange('rebased') : byHand('earlier_commits', others);
}

/**
 * The verdict if another commit since the anchor brought the source, and the reported one brings nothing of it.
 *
 * @param own the verdict on the reported commit
 * @returns undefined if that one counts
 */
async function judgeOther(own: Judgement, reported: ReportedLanding): Promise<Judged | undefined> {
  const onto = await readTargetParent(reported);
  if (onto === undefined || reported.commit.parentIds.length > 2) return undefined;
  const divergence = await reported.divergenceFrom(onto);
  if (divergence.relation === 'unrelated') return undefined;
  if (divergence.relation === 'landed') return judgeMergedBefore(onto, reported);
  const merge = await readLandedMerge(reported);
  if (typeof merge === 'string' || (await compareSource(merge, onto)) !== 'whole') return undefined;
  // A merge of the very source is its landing, even if another commit brought the same before.
  if (own.verdict === 'DIVERGENT' && reported.commit.parentIds.includes(reported.sourceTip)) return own;
  const left = await compareSource(merge, reported.commitId);
  // If the reported commit took back or altered a part of the source, it is judged itself.
  const itself = left !== 'whole' && own.verdict === 'DIVERGENT' ? own : unknown('landing_not_found');
  if (left === 'lacking') return itself;
  return (await findOther(merge, { reported, isWhole: left === 'whole' })) ?? itself;
}

/** Most commits that may have brought a source, and are judged. */
const OTHERS_MAX = 16;

/**
 * The verdict on the newest commit since the anchor that is a landing of the source and still stands in the reported one.
 *
 * @param isWhole whether the reported commit has the whole source; if not, each change of its files up to that landing has to
 *   stand: later lines of others can be in conflict with the source as a whole
 */
async function findOther(
  merge: LandedMerge,
  { reported, isWhole }: { reported: ReportedLanding; isWhole: boolean },
): Promise<Judged | undefined> {
  const since = commitsSince(reported.anchorCommitId, merge.divergence.chain);
  const touched = [...new Set((await findTouched(since, merge, true)).map(({ commitId }) => commitId))];
  const later = new LaterCommit(reported, merge.onto);
  for (const commitId of [...new Set([...touched, ...since])].slice(0, OTHERS_MAX)) {
    const landing = await readLandingAt(commitId, reported);
    const found = await judgeLanding(landing);
    if (found.verdict !== 'EXACT' && found.verdict !== 'SAME_CHANGE') continue;
    const older = touched.filter((id) => since.indexOf(id) > since.indexOf(commitId));
    if (!(await later.hasAll(isWhole ? [commitId] : [commitId, ...older]))) continue;
    const earlier = await judgeEarlier(found, landing);
    const isByHand = earlier?.verdict === 'BY_HAND';
    return { ...(isByHand ? earlier : sameChange('other_commit')), landedCommitId: commitId };
  }
  return undefined;
}

/** The verdict if the source tip was in the target's history before the reported commit. */
async function judgeMergedBefore(onto: string, reported: ReportedLanding): Promise<Judged> {
  const commitId = await findMerge(onto, reported);
  if (!commitId || !(await isAfterAnchor(commitId, reported))) return unknown('landing_not_found');
  const later = new LaterCommit(reported, onto);
  if (!(await later.hasAll([commitId]))) {
    return (await later.judgeDropped(commitId)) ?? unknown('landing_not_found');
  }
  const found = await judgeLanding(await readLandingAt(commitId, reported));
  return { ...(found.verdict === 'EXACT' ? sameChange('other_commit') : found), landedCommitId: commitId };
}

/** How much of the source a commit of the target has: `disputed` if merging the source into it is in conflict, and brings nothing else. */
async function compareSource(
  { landing, divergence, store, budget }: LandedMerge,
  commitId: string,
): Promise<'whole' | 'disputed' | 'lacking'> {
  await store.loadCommits([commitId]);
  const treeOf = (id: string) => store.commit(id).treeId;
  const ours = treeOf(commitId);
  let left: 'whole' | 'disputed' = 'whole';
  for (const id of divergence.bases) {
    const trees = { base: treeOf(id), ours, theirs: treeOf(landing.sourceTip), landed: ours };
    const differing = await compareWithMerge(trees, { store, budget });
    if (differing?.some(({ merged }) => merged.kind === 'clean')) return 'lacking';
    if (differing?.length !== 0) left = 'disputed';
  }
  return left;
}

/** The target's commits after the anchor, newest first; all since the merge base if the anchor is not among them. */
function commitsSince(anchorCommitId: string | undefined, chain: readonly string[]): readonly string[] {
  const anchor = anchorCommitId === undefined ? -1 : chain.indexOf(anchorCommitId);
  return anchor < 0 ? chain : chain.slice(0, anchor);
}

/** Whether the anchor does not contain the commit. */
async function isAfterAnchor(
  commitId: string,
  { remote, sourceTip, anchorCommitId }: ReportedLanding,
): Promise<boolean> {
  // Without an anchor, a source on the target's chain can be an old commit of it that brought nothing.
  if (anchorCommitId === undefined) return commitId !== sourceTip;
  if (anchorCommitId === commitId) return false;
  const history = await fetchHistory(remote, { wants: [anchorCommitId], haves: [commitId] });
  return history === undefined || !descendantsOf(history.commits, commitId).has(anchorCommitId);
}

async function readLandingAt(commitId: string, reported: ReportedLanding): Promise<ReportedLanding> {
  const packs: DecodedPack[] = [];
  const store = new ObjectStore(reported.remote, packs);
  await store.loadCommits([commitId]);
  return { ...reported, commitId, commit: store.commit(commitId), packs };
}

/** The reported commit, asked for what earlier ones changed. Ancestry does not show it: a commit between may drop a line. */
class LaterCommit {
  private readonly store: ObjectStore;

  constructor(
    private readonly reported: ReportedLanding,
    private readonly onto: string,
  ) {
    this.store = new ObjectStore(reported.remote, [...reported.packs]);
  }

  /** Whether merging each of some commits into the reported one again changes nothing. @throws RemoteFailure */
  async hasAll(commitIds: readonly string[]): Promise<boolean> {
    const { commit, budget } = this.reported;
    for (const commitId of commitIds) {
      const change = await this.changeOf(commitId);
      const trees = change && { ...change, ours: commit.treeId };
      if (trees === undefined || !(await bringsNothing(trees, { store: this.store, budget }))) return false;
    }
    return true;
  }

  /** The verdict on the reported commit as if the earlier one was merged again, if that one was whole before. */
  async judgeDropped(commitId: string): Promise<Judgement | undefined> {
    const change = await this.changeOf(commitId);
    if (change === undefined) return undefined;
    const { commit, budget } = this.reported;
    const reading = { store: this.store, budget };
    await this.store.loadCommits([this.onto]);
    const ours = this.store.commit(this.onto).treeId;
    if (!(await bringsNothing({ ...change, ours }, reading))) return undefined;
    return judgeTrees({ ...change, ours, landed: commit.treeId }, reading);
  }

  /** The trees before and after a commit; undefined if it has no parent, or nothing shows where a fast-forward began. */
  private async changeOf(commitId: string): Promise<{ base: string; theirs: string } | undefined> {
    await this.store.loadCommits([commitId]);
    const { sourceTip, anchorCommitId } = this.reported;
    const commit = this.store.commit(commitId);
    // If the source tip itself is on the target, the landing is all commits since the anchor.
    const before =
      commitId === sourceTip
        ? anchorCommitId
        : await readTargetParent({ ...this.reported, commitId, commit });
    if (before === undefined) return undefined;
    await this.store.loadCommits([before]);
    return { base: this.store.commit(before).treeId, theirs: commit.treeId };
  }
}
