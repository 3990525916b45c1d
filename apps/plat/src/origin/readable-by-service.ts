import { type ApiClient, checkMergeQueue, listReviews } from '@plat/api-client';
import type { NotReadableReason } from '@plat/contracts/core';
import type { FailureCode } from '../error-codes/failure-code';
import { apiFailure } from '../failures/api-failure';
import type { Platform } from '../platform/platform';
import { Failure } from '../terminal/failure';
import { type NextStep, nextStep } from '../terminal/next-step';
import { withoutCredentials } from '../terminal/printable';

/** Longest wait in milliseconds of a command that only warns. */
const WARNING_MILLISECONDS_MAX = 15_000;

/** The branch that a platform has to read before it can verify a merge onto it. */
export interface ReadBranch {
  /** A remote without credentials. */
  repository: string;
  targetBranch: string;
}

/** Refusals that say nothing about the repository: an older platform lacks the route, or the caller's roles do. */
const UNANSWERED: readonly FailureCode[] = ['NOT_FOUND', 'METHOD_NOT_ALLOWED', 'FORBIDDEN'];

/** The answer of the platform, whose own network and guards decide. */
export type Readability =
  | { readable: true }
  | { readable: false; failure: Failure }
  /** The platform does not answer the question; `why` is its refusal. */
  | { readable: undefined; why: Failure };

/** Asks the platform whether it could verify a merge onto the branch. @throws any other refusal of the platform */
export async function readabilityOf(api: ApiClient, branch: ReadBranch): Promise<Readability> {
  try {
    const { readable, reason = 'remote_unreadable' } = await checkMergeQueue(api, { body: branch });
    return readable ? { readable } : { readable, failure: notReadable(branch, reason) };
  } catch (error) {
    const why = apiFailure(error);
    if (why && UNANSWERED.includes(why.code)) return { readable: undefined, why };
    throw error;
  }
}

/**
 * Refuses a repository that the platform cannot read, before anything is pushed that it could not verify. Called once,
 * before the slot is taken.
 *
 * @throws Failure REPOSITORY_UNREADABLE, NO_SUCH_TARGET
 */
export async function requireReadableByService(
  { api }: Pick<Platform, 'api'>,
  remoteUrl: string,
  targetBranch: string,
): Promise<void> {
  const answer = await readabilityOf(api, { repository: remoteUrl, targetBranch });
  if (answer.readable !== false) return;
  const { code, message, next, details } = answer.failure;
  const wayOut = await wayOutOfSlot(api, { repository: remoteUrl, targetBranch });
  throw new Failure(code, `${message} Nothing was pushed.`, {
    details,
    next: nextStep(
      next,
      '; to put back the review of an unfinished drive: plat drive --target-branch',
      [targetBranch],
      '--give-up',
      wayOut,
    ),
  });
}

/** The commands for a review that holds the slot and was pushed by an earlier drive; undefined if there is none. */
async function wayOutOfSlot(
  api: ApiClient,
  { repository, targetBranch }: ReadBranch,
): Promise<NextStep | undefined> {
  const [holder] = await listReviews(api, { query: { repository, targetBranch, status: 'MERGE' } });
  return holder && nextStep('; if its merge has been pushed:', closeWithoutVerdict(holder.reviewId));
}

/** The commands that end a review whose landing the platform can never verify. */
export function closeWithoutVerdict(reviewId: string): NextStep {
  return nextStep('plat review requeue', [reviewId], '&& plat review close', [reviewId]);
}

/** A warning for a person who proposes a change; undefined if all is well, or if no answer comes in time. */
export async function unreadableWarning(api: ApiClient, branch: ReadBranch): Promise<string | undefined> {
  const inTime = api.interruptedBy(AbortSignal.timeout(WARNING_MILLISECONDS_MAX));
  try {
    const answer = await readabilityOf(inTime, branch);
    // A missing branch has a warning of its own.
    if (answer.readable !== false || answer.failure.code === 'NO_SUCH_TARGET') return undefined;
    return `${answer.failure.message} The review waits, and a drive refuses it until then: ${answer.failure.next}`;
  } catch {
    return undefined;
  }
}

const NEXT: Readonly<Record<NotReadableReason, NextStep>> = {
  remote_unreadable: nextStep(
    'let the platform read the repository without credentials (docs/private-repositories.md names the ways), then plat doctor',
  ),
  remote_refused: nextStep(
    'give origin an https address that the platform may read (docs/private-repositories.md names them), then plat doctor',
  ),
  remote_too_large: nextStep('ask the administrator of the platform to raise its limits, then plat doctor'),
  branch_missing: nextStep('repeat the command with --target-branch <branch>, as origin names it'),
};

function notReadable({ repository, targetBranch }: ReadBranch, reason: NotReadableReason): Failure {
  const shown = withoutCredentials(repository);
  const details = { repository: shown, targetBranch, reason };
  const next = NEXT[reason];
  if (reason === 'branch_missing') {
    return new Failure('NO_SUCH_TARGET', `The platform finds no branch ${targetBranch} in ${shown}.`, {
      details,
      next,
    });
  }
  const message = `The platform cannot read ${shown} without credentials, so it could verify no merge onto ${targetBranch} (${reason}).`;
  return new Failure('REPOSITORY_UNREADABLE', message, { details, next });
}
