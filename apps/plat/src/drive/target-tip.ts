import { fetchTip } from '../push/gate-refs';
import { isAncestor } from '../push/landing';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { giveUpCommand } from './drive-command';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';

/** Fetches origin's target branch, and returns its tip. @throws Failure NO_SUCH_TARGET with the next step */
export async function fetchTargetTip(context: DriveContext, state?: DriveState): Promise<string> {
  const { git, targetBranch, progress } = context;
  const tip = await progress(`Fetching ${targetBranch}`, fetchTip(git, targetBranch));
  if (tip !== undefined) return tip;
  throw new Failure('NO_SUCH_TARGET', `origin has no branch ${targetBranch}.`, {
    details: { targetBranch, reviewId: state?.review.reviewId },
    next: state
      ? nextStep(
          'push the branch again and repeat the command; or put the review back:',
          giveUpCommand(context),
        )
      : 'repeat the command with --target-branch <branch>, as origin names it',
  });
}

/** Whether the commit is the tip, or one of its ancestors. Both are in the checkout. */
export async function isOn({ git }: DriveContext, commitId: string, tip: string): Promise<boolean> {
  return commitId === tip || isAncestor(git, commitId, tip);
}
