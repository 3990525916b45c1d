import { branchRef } from '../protocol/branch-ref';
import type { RemoteRepository } from '../protocol/remote-repository';
import { type BranchRead, notVerified, type Verdict } from '../verdict';

export interface BranchQuestion {
  targetBranch: string;
}

/**
 * Reads the target's tip and no object, as the judgement of a landing does first.
 *
 * @throws RemoteFailure if the remote cannot be read
 */
export async function readBranch(
  remote: RemoteRepository,
  { targetBranch }: BranchQuestion,
): Promise<Verdict<BranchRead>> {
  const ref = branchRef(targetBranch);
  const targetTip = ref === undefined ? undefined : (await remote.tips([ref])).get(ref);
  return targetTip === undefined ? notVerified('branch_missing') : { verified: true, landing: { targetTip } };
}
