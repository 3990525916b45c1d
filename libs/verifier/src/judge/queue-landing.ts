import { reachableFrom } from '../history/commit-graph';
import { fetchHistory } from '../history/fetch-history';
import { isObjectId } from '../pack/object-id';
import { branchRef } from '../protocol/branch-ref';
import type { RemoteRepository } from '../protocol/remote-repository';
import { notVerified, type QueueLanding, type Verdict } from '../verdict';

export interface QueueQuestion {
  targetBranch: string;
  /** The commit that the gate build reported. */
  commitId: string;
  /** The commit of the review that reached MERGED through this queue before; absent if there is none. */
  anchorCommitId?: string;
}

/**
 * Conditions A2 and A3: the commit is reachable from the target's tip, and the anchor is the commit or an ancestor of
 * it. Only parent edges of received commits count. A server's acknowledgment proves nothing, because a forge knows the
 * commits of every fork by id.
 *
 * @throws RemoteFailure if the remote cannot be judged
 */
export async function judgeQueueLanding(
  remote: RemoteRepository,
  question: QueueQuestion,
): Promise<Verdict<QueueLanding>> {
  const ref = branchRef(question.targetBranch);
  const targetTip = ref === undefined ? undefined : (await remote.tips([ref])).get(ref);
  if (targetTip === undefined) return notVerified('branch_missing');

  const { commitId, anchorCommitId } = question;
  const proof = { remote, targetTip, commitId };
  if (anchorCommitId === undefined || anchorCommitId === commitId) {
    if (!(await isOnTarget(proof))) return notVerified('commit_not_on_target');
    return { verified: true, landing: { targetTip, commitId, anchorCommitId } };
  }
  const commit = await findAboveAnchor({ ...proof, anchorCommitId });
  if (commit !== undefined) {
    const { treeId, parentIds } = commit;
    return {
      verified: true,
      landing: { targetTip, commitId, anchorCommitId, commit: { treeId, parentIds: [...parentIds] } },
    };
  }
  return notVerified((await isOnTarget(proof)) ? 'gated_tip_lost' : 'commit_not_on_target');
}

interface Proof {
  remote: RemoteRepository;
  targetTip: string;
  commitId: string;
}

/** Condition A2. If the tip is the commit, the refs alone prove it. */
async function isOnTarget({ remote, targetTip, commitId }: Proof): Promise<boolean> {
  if (targetTip === commitId) return true;
  if (!isObjectId(commitId)) return false;
  const history = await fetchHistory(remote, { wants: [targetTip], haves: [commitId] });
  return history !== undefined && reachableFrom(history.commits, [targetTip]).has(commitId);
}

/** Conditions A2 and A3 together, by the commits between target tip and anchor. */
async function findAboveAnchor({
  remote,
  targetTip,
  commitId,
  anchorCommitId,
}: Proof & { anchorCommitId: string }) {
  if (!isObjectId(anchorCommitId)) return undefined;
  const history = await fetchHistory(remote, { wants: [targetTip], haves: [anchorCommitId] });
  if (history === undefined || !reachableFrom(history.commits, [targetTip]).has(commitId)) return undefined;
  const descends = reachableFrom(history.commits, [commitId]).has(anchorCommitId);
  return descends ? history.commits.get(commitId) : undefined;
}
