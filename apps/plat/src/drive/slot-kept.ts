import { isInTheWay } from '../gate/files-in-the-way';
import { isUnusable } from '../gate/submodules';
import { Failure } from '../terminal/failure';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';

/** A checkout that cannot be used says nothing about the review, which stays at MERGE: the error names it and both ways out. */
export function slotKept(
  { targetBranch }: Pick<DriveContext, 'targetBranch'>,
  { review: { reviewId, name } }: Pick<DriveState, 'review'>,
  error: unknown,
): unknown {
  if (!isInTheWay(error) && !isUnusable(error)) return error;
  const { code, message, details, next, exitCode } = error;
  return new Failure(code, `${message} "${name}" keeps the slot of ${targetBranch} until then.`, {
    details: { ...details, reviewId },
    next: `${next}; or put the review back: plat drive --target-branch ${targetBranch} --give-up`,
    exitCode,
  });
}
