import { apiFailure } from '../session/api-failure';
import { Failure } from '../terminal/failure';
import { closeStep } from './close-step';
import type { DriveContext, DrivenReview } from './drive-context';
import type { DriveState } from './drive-state';
import { gateStep, tellGateRun } from './gate-step';
import { holdsSlot, pushStep, recordStep, reportStep } from './landing-steps';
import { dropMerge, mergeStep } from './merge-step';
import { nextReview, type NextReview } from './next-review';

/** A target that moves under each of so many gates needs a person. */
const GATES_MAX = 3;

export interface DriveReport {
  targetBranch: string;
  repository: string;
  /** In the order in which they were driven. */
  reviews: DrivenReview[];
}

/**
 * Takes the reviews of one queue through the whole drive order, until nobody waits.
 * Spec: Client, Gate drive rules, rule 4.
 *
 * @param once stop after one review
 * @throws what a step refuses with; `details.reviews` tells what was driven before
 */
export async function drive(context: DriveContext, once: boolean): Promise<DriveReport> {
  const { targetBranch, repository, note } = context;
  const reviews: DrivenReview[] = [];
  try {
    for (;;) {
      const next = await nextReview(context);
      if (!next) break;
      note(`Driving "${next.state.review.name}" (${next.state.review.sourceBranch})`);
      const driven = await driveReview(context, next);
      reviews.push(driven);
      note(`"${driven.name}" is ${driven.outcome}`);
      await context.stateFile.clear();
      if (once) break;
    }
  } catch (error) {
    throw reviews.length === 0 ? error : stoppedAfter(reviews, error);
  }
  return { targetBranch, repository, reviews };
}

async function driveReview(context: DriveContext, { state, status }: NextReview): Promise<DrivenReview> {
  if (status === 'MERGED' && state.pushed) return landed(context, state);
  const ended = endedBefore(state, status);
  if (ended) return ended;
  let current: DriveState | undefined = state;
  for (let gates = 0; gates < GATES_MAX; gates += 1) {
    const gated = await gate(context, current);
    if (gated.verdict?.successful !== true) return failed(context, gated);
    if (!(await holdsSlot(context, gated))) return abandoned(context, gated);
    current = await pushStep(context, gated);
    if (current) {
      await context.stateFile.write(current);
      await reportStep(context, current);
      return landed(context, current);
    }
    context.note(`${context.targetBranch} has moved meanwhile: gating anew.`);
    current = { apiUrl: state.apiUrl, review: state.review };
    await context.stateFile.write(current);
  }
  throw new Failure('TARGET_MOVES', `${context.targetBranch} moved during each of ${GATES_MAX} gates.`, {
    next: 'repeat the command when fewer push to the branch',
  });
}

/** The merge, its gate and the record of it; each step's outcome is kept before the next begins. */
async function gate(context: DriveContext, state: DriveState): Promise<DriveState> {
  if (state.pushed) return state;
  let current = state;
  for (const step of [mergeStep, gateStep]) {
    current = await step(context, current);
    await context.stateFile.write(current);
  }
  if (current.buildId !== undefined) return current;
  await tellGateRun(context, current);
  const recorded = await recordStep(context, current);
  await context.stateFile.write(recorded);
  return recorded;
}

/** An earlier run that was killed may have done the last step already. */
function endedBefore(state: DriveState, status: NextReview['status']): DrivenReview | undefined {
  if (status === 'MERGE') return undefined;
  if (status === 'FAILED' && state.verdict?.successful === false) return driven(state, 'FAILED');
  return { ...driven(state, 'ABANDONED'), detail: `It is at ${status}.` };
}

/** The last step: it is taken again where an earlier run was killed in it. */
async function landed(context: DriveContext, state: DriveState): Promise<DrivenReview> {
  const pullRequest = await closeStep(context, state);
  return { ...driven(state, 'MERGED'), ...(pullRequest && { pullRequest }) };
}

async function failed(context: DriveContext, state: DriveState): Promise<DrivenReview> {
  await dropMerge(context);
  return driven(state, 'FAILED');
}

async function abandoned(context: DriveContext, state: DriveState): Promise<DrivenReview> {
  await dropMerge(context);
  return {
    ...driven(state, 'ABANDONED'),
    detail: 'It lost the slot while it was gated; nothing was pushed.',
  };
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

function stoppedAfter(reviews: readonly DrivenReview[], error: unknown): unknown {
  const failure = error instanceof Failure ? error : apiFailure(error);
  if (!failure) return error;
  const { code, message, details, next, requestId, exitCode } = failure;
  return new Failure(code, message, { details: { ...details, reviews }, next, requestId, exitCode });
}
