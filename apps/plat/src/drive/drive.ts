import type { Review } from '@plat/api-client';
import { apiFailure } from '../session/api-failure';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { checkpointStep } from './checkpoint-step';
import { closeStep } from './close-step';
import type { DriveContext, DrivenReview } from './drive-context';
import type { DriveState } from './drive-state';
import { reportVerdict } from './gate-runs';
import { gateStep } from './gate-step';
import { holdsSlot, pushStep, recordStep, reportStep } from './landing-steps';
import { currentMerge, dropMerge, mergedAgain, mergeStep } from './merge-step';
import { type NextReview, nextReview } from './next-review';
import { slotKept } from './slot-kept';
import { targetTip } from './target-tip';

/** Most gates of one review: if the target moves during each, a person has to decide. */
const GATES_MAX = 3;

export interface DriveReport {
  targetBranch: string;
  repository: string;
  /** In the order in which they were driven. */
  reviews: DrivenReview[];
}

/**
 * Takes the reviews of one queue through the whole drive order, until none waits.
 * Spec: Client, Gate drive rules, rule 4.
 *
 * @param once stop after one review
 * @throws the failure of a step; `details.reviews` names the reviews that were driven before
 */
export async function drive(context: DriveContext, once: boolean): Promise<DriveReport> {
  const { targetBranch, repository, note, interrupted } = context;
  const reviews: DrivenReview[] = [];
  const taken = new Map<string, string>();
  try {
    await targetTip(context, await context.stateFile.read());
    for (;;) {
      interrupted.throwIfAborted();
      const next = await nextReview(context);
      if (!next) break;
      requireChange(taken, next.review);
      note(`Driving "${next.review.name}" (${next.review.sourceBranch})`);
      const driven = await driveReview(context, next);
      reviews.push(driven);
      note(
        `"${driven.name}" is ${driven.outcome}${driven.detail === undefined ? '' : `: ${firstLine(driven.detail)}`}`,
      );
      await context.stateFile.clear();
      if (once) break;
    }
  } catch (error) {
    throw reviews.length === 0 ? error : stoppedAfter(reviews, error);
  }
  return { targetBranch, repository, reviews };
}

/**
 * Refuses a review that comes back to the slot unchanged. A change explains its return; without one the platform did
 * not act on the drive's report, and the drive would never end.
 *
 * @param taken the reviews of this drive, as they were when it took them
 */
function requireChange(taken: Map<string, string>, { reviewId, name, updatedAt }: Review): void {
  if (taken.get(reviewId) === updatedAt) {
    throw new Failure(
      'NOTHING_CHANGES',
      `"${name}" came back to the slot, and nothing about it has changed.`,
      {
        details: { reviewId, updatedAt },
        next: nextStep('plat review show', [reviewId], '; plat doctor'),
      },
    );
  }
  taken.set(reviewId, updatedAt);
}

async function driveReview(context: DriveContext, { state, review }: NextReview): Promise<DrivenReview> {
  const ended = await endedBefore(context, state, review);
  if (ended) return ended;
  let current: DriveState = state;
  for (let gates = 0; gates < GATES_MAX; gates += 1) {
    current = await currentMerge(context, current);
    await context.stateFile.write(current);
    const gated = await gate(context, current);
    if (gated.verdict?.successful !== true) return failed(context, gated);
    if (!gated.pushed && !(await holdsSlot(context, gated))) {
      return abandoned(context, gated, 'It lost the slot while it was gated; nothing was pushed.');
    }
    const pushed = await pushStep(context, gated).catch((error: unknown) => {
      throw slotKept(context, gated, error);
    });
    if (pushed) {
      await context.stateFile.write(pushed);
      await reportStep(context, pushed);
      return landed(context, pushed);
    }
    context.note(`${context.targetBranch} has moved meanwhile: the merge is made and gated again.`);
    current = await mergedAgain(context, gated);
    await context.stateFile.write(current);
  }
  const { targetBranch } = context;
  throw new Failure('TARGET_MOVES', `${targetBranch} moved during each of ${GATES_MAX} gates.`, {
    next: nextStep(
      'repeat the command when fewer push to the branch, or: plat drive --target-branch',
      [targetBranch],
      '--give-up',
    ),
  });
}

/** Makes the merge, gates it and records the result. Each step's outcome is stored before the next one begins. */
async function gate(context: DriveContext, state: DriveState): Promise<DriveState> {
  if (state.pushed && state.buildId !== undefined) return state;
  let current = state;
  for (const step of [mergeStep, gateStep]) {
    if (current.pushed) break;
    const standing = current;
    current = await step(context, standing).catch((error: unknown) => {
      throw slotKept(context, standing, error);
    });
    await context.stateFile.write(current);
  }
  if (current.buildId !== undefined) return current;
  await reportVerdict(context, current);
  const recorded = await recordStep(context, current);
  await context.stateFile.write(recorded);
  return recorded;
}

/** A result that an earlier run, or another party, reached. */
async function endedBefore(
  context: DriveContext,
  state: DriveState,
  { status, lastMergedBuildId }: Review,
): Promise<DrivenReview | undefined> {
  if (status === 'MERGE') return undefined;
  if (status === 'MERGED' && state.pushed && state.buildId === lastMergedBuildId) {
    return landed(context, state);
  }
  if (status === 'MERGED') {
    return { ...driven(state, 'MERGED_ELSEWHERE'), detail: 'It was merged elsewhere.' };
  }
  if (status === 'FAILED' && state.verdict?.successful === false) return failed(context, state);
  return abandoned(context, state, `It is at ${status}.`);
}

/** The last steps, which are repeated if an earlier run was stopped in them. */
async function landed(context: DriveContext, state: DriveState): Promise<DrivenReview> {
  const merged = { ...driven(state, 'MERGED'), pullRequest: await closeStep(context, state) };
  const checkpoint = await checkpointStep(context, state).catch((error: unknown) => {
    throw stoppedAfter([merged], error);
  });
  return checkpoint ? { ...merged, checkpoint } : merged;
}

function failed(context: DriveContext, state: DriveState): Promise<DrivenReview> {
  return withoutMerge(context, state, driven(state, 'FAILED'));
}

function abandoned(context: DriveContext, state: DriveState, detail: string): Promise<DrivenReview> {
  return withoutMerge(context, state, { ...driven(state, 'ABANDONED'), detail });
}

/** Drops the merge of a review that has ended. If that fails, the error names the review and its result. */
async function withoutMerge(
  context: DriveContext,
  state: DriveState,
  ended: DrivenReview,
): Promise<DrivenReview> {
  await dropMerge(context, state).catch((error: unknown) => {
    throw stoppedAfter([ended], error);
  });
  return ended;
}

function driven(
  { review, merge, buildId, verdict }: DriveState,
  outcome: DrivenReview['outcome'],
): DrivenReview {
  const { mergeCommit } = merge ?? {};
  const facts = { mergeCommit, buildId, detail: verdict?.detail };
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return { ...review, outcome, ...known };
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}

function stoppedAfter(reviews: readonly DrivenReview[], error: unknown): unknown {
  const failure = error instanceof Failure ? error : apiFailure(error);
  if (!failure) return error;
  const { code, message, details, next, requestId, exitCode } = failure;
  // The review at which it stopped may have ended as well.
  const last = (details?.reviews ?? []) as DrivenReview[];
  const all = { ...details, reviews: [...reviews, ...last] };
  return new Failure(code, message, { details: all, next, requestId, exitCode });
}
