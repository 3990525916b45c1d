import { commitOf } from '../checkout/checkout';
import { type Git, gitFailure } from '../git/git';
import { mergeByRecipe } from '../merge/merge-by-recipe';
import { requireWholeHistory } from '../origin/whole-history';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { lookAtTip } from './gate-refs';

/** Most commits of a target that are compared one by one, if the target's tip no longer carries the source. */
const LOOKED_THROUGH_MAX = 500;

/** git's exit code if a commit is no ancestor. */
const NO_ANCESTOR = 1;

export interface LandingQuestion {
  sourceBranch: string;
  /** Tip of the source as the gate took it. */
  sourceCommit: string;
  targetBranch: string;
  /** The remote of the target: a name or an address. */
  remote: string;
  /** The commit that should carry the source; undefined: the first one that does. */
  commitId?: string | undefined;
}

/**
 * The commit on the remote's target branch that carries the source, as this checkout reads it from the remote.
 *
 * @throws Failure NOT_LANDED, NO_SUCH_TARGET, SHALLOW_CHECKOUT
 */
export async function findLanding(git: Git, question: LandingQuestion): Promise<string> {
  const { remote, targetBranch, sourceCommit, commitId } = question;
  await requireWholeHistory(git);
  const tip = await lookAtTip(git, remote, targetBranch);
  if (tip === undefined) {
    throw new Failure('NO_SUCH_TARGET', `${shown(remote)} has no branch ${targetBranch}.`, {
      next: 'repeat the command with --target-branch <branch>',
    });
  }
  if ((await commitOf(git, sourceCommit)) === undefined) {
    throw notLanded(question, `${sourceCommit} is not in this checkout, so its landing cannot be checked`);
  }
  if (commitId === undefined) return (await firstCarrier(git, sourceCommit, tip)) ?? refuse(question);
  if ((await commitOf(git, commitId)) === undefined || !(await isAncestor(git, commitId, tip))) {
    throw notLanded(question, `${commitId} is not on ${targetBranch} of ${shown(remote)}`);
  }
  if (await carries(git, commitId, sourceCommit)) return commitId;
  throw notLanded(question, `${commitId} does not have everything that ${sourceCommit} adds`);
}

/**
 * Whether a commit has everything of the source: merging the source into it changes nothing.
 *
 * @throws Failure SHALLOW_CHECKOUT, GIT_TOO_OLD, GIT_FAILED if it cannot be determined
 */
export async function carries(git: Git, commit: string, source: string): Promise<boolean> {
  if (await isAncestor(git, source, commit)) return true;
  const merged = await mergeByRecipe(git, { onto: commit, source });
  if (merged.outcome !== 'clean') return false;
  return merged.tree === (await git.run(['rev-parse', `${commit}^{tree}`])).trim();
}

/**
 * The oldest commit of the target's first-parent history that carries the source. If the tip no longer carries it, the
 * newest commit that does.
 */
async function firstCarrier(git: Git, source: string, tip: string): Promise<string | undefined> {
  const listed = await git.run(['rev-list', '--first-parent', '--reverse', tip, `^${source}`, '--']);
  const chain = listed.split('\n').filter((commit) => commit !== '');
  // The target has no commit beyond the source, so it was fast-forwarded.
  if (chain.length === 0) return (await isAncestor(git, source, tip)) ? source : undefined;
  if (!(await carries(git, tip, source))) return anyCarrier(git, source, chain);
  let [first, last] = [0, chain.length - 1];
  while (first < last) {
    const middle = Math.floor((first + last) / 2);
    if (await carries(git, chain[middle] ?? tip, source)) last = middle;
    else first = middle + 1;
  }
  return chain[first];
}

/** The newest commit that carries the source. Later commits may have changed its lines, so each commit is compared. */
async function anyCarrier(git: Git, source: string, chain: readonly string[]): Promise<string | undefined> {
  for (const commit of chain.slice(-LOOKED_THROUGH_MAX).reverse()) {
    if (await carries(git, commit, source)) return commit;
  }
  return undefined;
}

/**
 * Whether the commit is `of` itself or an ancestor of it. The checkout must have `of` with its history.
 *
 * @throws Failure SHALLOW_CHECKOUT, GIT_FAILED if it cannot be determined
 */
export async function isAncestor(git: Git, commit: string, of: string): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', commit, of];
  const answer = await git.try(args);
  if (answer.code === 0) return true;
  await requireWholeHistory(git);
  if (answer.code === NO_ANCESTOR || (await commitOf(git, commit)) === undefined) return false;
  throw gitFailure(args, answer);
}

function refuse(question: LandingQuestion): never {
  const { sourceBranch, targetBranch, remote } = question;
  throw notLanded(
    question,
    `no commit on ${targetBranch} of ${shown(remote)} has everything of ${sourceBranch}`,
  );
}

function notLanded({ sourceBranch, sourceCommit, targetBranch }: LandingQuestion, why: string): Failure {
  return new Failure('NOT_LANDED', `${sourceBranch} has not landed on ${targetBranch}: ${why}.`, {
    details: { sourceBranch, sourceCommit, targetBranch },
    next: nextStep('plat exec push --target-branch', [targetBranch], ', then repeat the command'),
  });
}

/** A remote by its name, or by its address without credentials. */
function shown(remote: string): string {
  return remote.replace(/\/\/[^/@]*@/, '//');
}
