import { NOT_READABLE_REASONS, type NotReadableReason } from '@plat/contracts/core';
import { apiFailure } from '../failures/api-failure';
import { closeWithoutVerdict } from '../origin/readable-by-service';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { driveCommand, type PrintedDrive } from './drive-command';
import type { DriveLoop } from './drive-loop';

/**
 * Adds to the refusal of a report that the platform could not judge both ways out of the slot: another drive once it can
 * read the repository, or the end of a review that it can never verify.
 *
 * @returns any other error unchanged
 */
export async function withWaysOut(
  loop: PrintedDrive & Pick<DriveLoop, 'stateFile'>,
  error: unknown,
): Promise<unknown> {
  const failure = error instanceof Failure ? error : apiFailure(error);
  if (failure?.code !== 'MERGE_NOT_VERIFIED' || !isUnread(failure.details?.reason)) return error;
  const state = await loop.stateFile.read();
  if (!state?.pushed) return error;
  const { code, message, details, requestId, exitCode } = failure;
  const { reviewId, name } = state.review;
  return new Failure(code, `${message} The merge of "${name}" is pushed; only its verification is missing.`, {
    details: { ...details, reviewId },
    next: nextStep(
      'let the platform read the repository (docs/private-repositories.md), then:',
      driveCommand(loop),
      '; if it never may:',
      closeWithoutVerdict(reviewId),
    ),
    requestId,
    exitCode,
  });
}

function isUnread(reason: unknown): boolean {
  return NOT_READABLE_REASONS.includes(reason as NotReadableReason) && reason !== 'branch_missing';
}
