import { gateRef } from './gate-refs';
import { gitFailure, type Git, type GitAnswer } from './git';

/** Why a source is not in the merge. */
export type SkipReason =
  /** origin has no such branch. */
  | 'missing'
  /** It conflicts with the target, or with a source before it. */
  | 'conflict'
  /** It adds nothing to what is there. */
  | 'empty'
  /** It shares no history with the target. */
  | 'unrelated';

/** Why a squash merge was not made. */
export interface Skip {
  reason: SkipReason;
  /** The files that conflict. */
  files?: string[];
}

/** With `--ff`, since a `--no-ff` of the user's settings, for merges of this branch or all, excludes a squash. */
export function squashArguments(branch: string): string[] {
  return ['merge', '--squash', '--ff', '--quiet', gateRef(branch)];
}

/** The commit's message is the review's name, and its tree is what was merged. */
export const COMMIT_ARGUMENTS = ['commit', '--quiet', '--no-verify', '--cleanup=whitespace', '-F', '-'];

/**
 * Squash-merges a fetched branch onto what is checked out and commits it. A source that cannot be merged leaves
 * the checkout as it was. Decision G5.
 *
 * @returns the squash commit, or why there is none
 */
export async function squashSource(git: Git, branch: string, message: string): Promise<string | Skip> {
  const merge = squashArguments(branch);
  const merged = await git.try(merge);
  if (merged.code !== 0) return skip(git, await failedMerge(git, merged), { args: merge, answer: merged });
  const committed = await git.try(COMMIT_ARGUMENTS, message);
  if (committed.code === 0) return (await git.run(['rev-parse', 'HEAD'])).trim();
  return skip(git, await emptyCommit(git), { args: COMMIT_ARGUMENTS, answer: committed });
}

interface FailedStep {
  args: readonly string[];
  answer: GitAnswer;
}

/** Resets what the step left and returns why the source is skipped. @throws Failure GIT_FAILED without a reason */
async function skip(git: Git, why: Skip | undefined, { args, answer }: FailedStep): Promise<Skip> {
  if (why === undefined) throw gitFailure(args, answer);
  await git.run(['reset', '--quiet', '--hard']);
  return why;
}

async function failedMerge(git: Git, { stderr }: GitAnswer): Promise<Skip | undefined> {
  const unmerged = await git.run(['diff', '--name-only', '--diff-filter=U', '-z']);
  const files = unmerged.split('\0').filter((file) => file !== '');
  if (files.length > 0) return { reason: 'conflict', files };
  return stderr.includes('unrelated histories') ? { reason: 'unrelated' } : undefined;
}

async function emptyCommit(git: Git): Promise<Skip | undefined> {
  const { code } = await git.try(['diff', '--cached', '--quiet']);
  return code === 0 ? { reason: 'empty' } : undefined;
}
