import type { Git } from '../git/git';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { ORIGIN } from './origin';

/** A source of a merge, at the tip that was merged. */
export interface SourceTip {
  sourceBranch: string;
  /** Full id of the commit. */
  sourceCommit: string;
}

/** A source that is no longer at the tip that was merged. */
export interface ChangedSource extends SourceTip {
  /** Its tip on origin now; undefined if the branch was deleted. */
  seenCommit: string | undefined;
}

/**
 * The first source that origin no longer has at the tip that was merged. A verdict on the merge says nothing about
 * what the branch is now. Fetches nothing.
 *
 * @throws Failure GIT_FAILED if origin does not answer
 */
export async function findChangedSource(
  git: Git,
  sources: readonly SourceTip[],
): Promise<ChangedSource | undefined> {
  if (sources.length === 0) return undefined;
  const refs = sources.map(({ sourceBranch }) => `refs/heads/${sourceBranch}`);
  const listing = await git.run(['ls-remote', '--', ORIGIN, ...refs]);
  // git lists each ref that ends with the pattern, so other refs may be among them.
  const tips = new Map(listing.split('\n').map((line) => line.split('\t').reverse() as [string, string]));
  return sources
    .map((source) => ({ ...source, seenCommit: tips.get(`refs/heads/${source.sourceBranch}`) }))
    .find(({ sourceCommit, seenCommit }) => seenCommit !== sourceCommit);
}

/** Describes the change of the source, as a sentence without its end. */
export function describeChange({ sourceBranch, sourceCommit, seenCommit }: ChangedSource): string {
  return seenCommit === undefined
    ? `The source ${sourceBranch} was deleted on origin after ${sourceCommit} was merged`
    : `The source ${sourceBranch} moved from ${sourceCommit} to ${seenCommit} after it was merged`;
}

/** The sources and the target of a merge by hand. */
export interface MergedSources {
  targetBranch: string;
  sources: readonly SourceTip[];
}

/**
 * Refuses to push a merge whose source changed, because the gate tested another tip.
 *
 * @throws Failure SOURCE_MOVED, SOURCE_DELETED, GIT_FAILED
 */
export async function requireSourcesUnchanged(git: Git, merge: MergedSources): Promise<void> {
  const changed = await findChangedSource(git, merge.sources);
  if (changed === undefined) return;
  const isDeleted = changed.seenCommit === undefined;
  throw new Failure(
    isDeleted ? 'SOURCE_DELETED' : 'SOURCE_MOVED',
    `${describeChange(changed)}. Nothing was pushed.`,
    { details: { targetBranch: merge.targetBranch, ...changed }, next: mergeAgain(merge, changed) },
  );
}

function mergeAgain({ targetBranch, sources }: MergedSources, changed: ChangedSource): NextStep {
  const isDeleted = changed.seenCommit === undefined;
  const branches = sources.map(({ sourceBranch }) => sourceBranch);
  const left = isDeleted ? branches.filter((branch) => branch !== changed.sourceBranch) : branches;
  if (left.length === 0) {
    const restore = ['git', 'push', ORIGIN, `${changed.sourceCommit}^0:refs/heads/${changed.sourceBranch}`];
    return nextStep(restore, ', which restores the branch; then repeat the command');
  }
  const flags = left.flatMap((branch) => ['--source', branch]);
  const merge = ['plat', 'exec', 'gate-merge', '--target-branch', targetBranch, ...flags];
  return nextStep(merge, ', then its gate');
}

/** Whether a push was refused because a source of the merge changed. */
export function isSourceChange(error: unknown): error is Failure {
  return error instanceof Failure && ['SOURCE_MOVED', 'SOURCE_DELETED'].includes(error.code);
}
