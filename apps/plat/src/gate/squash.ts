import { gateRef } from './gate-refs';
import { gitFailure, type Git } from './git';

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

/** What became of one squash merge onto the checked-out branch. */
export type SquashOutcome = { commitId: string } | { reason: SkipReason; files?: string[] };

export function squashArguments(branch: string): string[] {
  return ['merge', '--squash', '--quiet', gateRef(branch)];
}

/** No hook may touch the commit: its message is the review's name and its tree is what was merged. */
export const COMMIT_ARGUMENTS = [
  '-c',
  'core.hooksPath=/dev/null',
  'commit',
  '--quiet',
  '--no-verify',
  '--cleanup=whitespace',
  '-F',
  '-',
];

/**
 * Squash-merges a fetched branch onto the checked-out one and commits it. A source that cannot be merged leaves
 * the checkout as it was. Decision G5.
 */
export async function squashSource(git: Git, branch: string, message: string): Promise<SquashOutcome> {
  const args = squashArguments(branch);
  const answer = await git.try(args);
  const skipped = answer.code === 0 ? await emptySquash(git) : await failedMerge(git);
  if (skipped) {
    await git.run(['reset', '--quiet', '--hard']);
    return skipped;
  }
  if (answer.code !== 0) {
    if (answer.stderr.includes('unrelated histories')) return { reason: 'unrelated' };
    throw gitFailure(args, answer);
  }
  await git.run(COMMIT_ARGUMENTS, message);
  return { commitId: (await git.run(['rev-parse', '--verify', 'HEAD'])).trim() };
}

async function emptySquash(git: Git): Promise<SquashOutcome | undefined> {
  const { code } = await git.try(['diff', '--cached', '--quiet']);
  return code === 0 ? { reason: 'empty' } : undefined;
}

async function failedMerge(git: Git): Promise<SquashOutcome | undefined> {
  const unmerged = await git.run(['diff', '--name-only', '--diff-filter=U', '-z']);
  const files = unmerged.split('\0').filter((file) => file !== '');
  return files.length > 0 ? { reason: 'conflict', files } : undefined;
}
