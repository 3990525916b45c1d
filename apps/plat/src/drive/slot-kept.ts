import { isInTheWay } from '../gate/files-in-the-way';
import { isUnusable } from '../gate/submodules';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';

const MEND = nextStep('mend what git names, then repeat the command');

/** Failures of git, of its filters, or of origin. */
const OF_GIT: readonly string[] = ['GIT_FAILED', 'PUSH_REJECTED', 'PUSHED_ELSEWHERE'];

/**
 * Adds to the error of an unusable checkout, of git or of origin, the review that keeps the slot, and both ways out.
 * The error need not be the review's fault, so the review stays at MERGE.
 *
 * @returns any other error unchanged
 */
export function slotKept(
  { targetBranch }: Pick<DriveContext, 'targetBranch'>,
  { review: { reviewId, name } }: Pick<DriveState, 'review'>,
  error: unknown,
): unknown {
  if (!isInTheWay(error) && !isUnusable(error) && !isOfGit(error)) return error;
  const { code, message, details, next = MEND, exitCode } = error;
  const sentence = /[.!?\u2026]$/.test(message) ? message : `${message}.`;
  return new Failure(code, `${sentence} "${name}" keeps the slot of ${targetBranch} until then.`, {
    details: { ...details, reviewId },
    next: nextStep(next, '; or put the review back: plat drive --target-branch', [targetBranch], '--give-up'),
    exitCode,
  });
}

function isOfGit(error: unknown): error is Failure {
  return error instanceof Failure && OF_GIT.includes(error.code);
}
