import { BRANCH_LENGTH_MAX } from '@plat/contracts/core';

const ISSUE_BRANCH = /^(?:feature|bug)\/([0-9]+)-/;

/**
 * The issue number that a source branch names by the convention `feature/<number>-<description>` or
 * `bug/<number>-<description>`, as the digits written; undefined when the branch follows no such convention.
 * Spec: API, Rules for issue links; Rule B1.
 */
export function issueReference(sourceBranch: string): string | undefined {
  if (sourceBranch.length > BRANCH_LENGTH_MAX) return undefined;
  return ISSUE_BRANCH.exec(sourceBranch)?.[1];
}
