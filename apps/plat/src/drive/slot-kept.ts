import type { FailureCode } from '../error-codes/failure-code';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { giveUpCommand } from './drive-command';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';

const MEND = nextStep('mend what is named, then repeat the command');

/** The review is another holder's, who may go on with it; or the drive was stopped, and goes on later. */
const NOT_STUCK: readonly FailureCode[] = [
  'GATED_ELSEWHERE',
  'GATE_RUN_HELD',
  'TAKEN_OVER',
  'CLAIM_LOST',
  'INTERRUPTED',
];

/**
 * Adds to the failure of a step the review that keeps the slot, and both ways out. The failure need not be the review's
 * fault, so the review stays at MERGE.
 *
 * @returns an error of the platform, and one about another holder, unchanged
 */
export function withSlotKept(
  { targetBranch }: Pick<DriveContext, 'targetBranch'>,
  { review: { reviewId, name } }: Pick<DriveState, 'review'>,
  error: unknown,
): unknown {
  if (!(error instanceof Failure) || NOT_STUCK.includes(error.code)) return error;
  const { code, message, details, next = MEND, exitCode } = error;
  const giveUp = giveUpCommand({ targetBranch });
  if (next.includes(giveUp)) return error;
  const sentence = /[.!?\u2026]$/.test(message) ? message : `${message}.`;
  return new Failure(code, `${sentence} "${name}" keeps the slot of ${targetBranch} until then.`, {
    details: { ...details, reviewId },
    next: nextStep(next, '; or put the review back:', giveUp),
    exitCode,
  });
}
