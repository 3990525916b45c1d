import { isBranchName } from '@plat/contracts/core';

/** The full name of a branch's ref, or undefined if no branch can have this name. */
export function branchRef(branch: string): string | undefined {
  return isBranchName(branch) ? `refs/heads/${branch}` : undefined;
}
