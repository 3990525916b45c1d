import { getReview, type Review } from '@plat/api-client';
import { apiFailure } from '../failures/api-failure';
import { type ChangedSource, describeChange, isSourceChange } from '../origin/source-tips';
import { requeue } from '../queue/requeue';
import { contentNotice, withVerdict } from '../reviews/landed-content';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { checkpointStep } from './checkpoint-step';
import { closeStep } from './close-step';
import { giveUpCommand } from './drive-command';
import type { DriveContext, DrivenReview } from './drive-context';
import { type DriveLoop, type Step, takeStep } from './drive-loop';
import type { DriveState } from './drive-state';
import { keepFiles } from './gate-files';
import { decideGateRun, reportVerdict } from './gate-runs';
import { gateStep } from './gate-step';
import { holdsSlot, pushStep, recordStep, reportStep } from './landing-steps';
import { dropOutdatedMerge, mergeStep, readSourceAgain, withoutMerge } from './merge-step';
import type { NextReview } from './next-review';
import { withSlotKept } from './slot-kept';
import { withEndedReviews } from './stopped-after';

/** Most gates of one review: if the target moves during each, a person has to decide. */
const GATES_MAX = 3;

/** Takes one review through the whole drive order. @throws the failure of a step */
export async function driveReview(loop: DriveLoop, { state, review }: NextReview): Promise<DrivenReview> {
  const ended = await finishEnded(loop, state, review);
  if (ended) return ended;
  let current: DriveState = state;
  let sourceChange: string | undefined;
  for (let gates = 0; gates < GATES_MAX; gates += 1) {
    current = await takeInSlot(loop, dropOutdatedMerge, current);
    const attempt = await gateAndLand(loop, current);
    if ('outcome' in attempt) return attempt;
    ({ sourceChange, state: current } = attempt);
    await loop.stateFile.write(current);
  }
  if (sourceChange !== undefined) return putBack(loop, current, sourceChange);
  const { targetBranch } = loop;
  throw new Failure('TARGET_MOVES', `${targetBranch} moved during each of ${GATES_MAX} gates.`, {
    next: nextStep('repeat the command when fewer push to the branch, or:', giveUpCommand(loop)),
  });
}

/** A merge that was not pushed because the target or the source moved during its gate. */
interface Outdated {
  /** The review without that merge. */
  state: DriveState;
  /** The change of the source; undefined if the target moved. */
  sourceChange?: string;
}

/** Gates the merge and lands it. A verdict counts only for the tips that were merged. */
async function gateAndLand(loop: DriveLoop, state: DriveState): Promise<DrivenReview | Outdated> {
  const gated = await mergeAndGate(loop, state);
  const change = await readSourceAgain(loop, gated);
  if (change) return discardVerdict(loop, gated, change);
  const recorded = await reportAndRecord(loop, gated);
  if (recorded.verdict?.successful !== true) return describeDriven(recorded, 'FAILED');
  if (!recorded.pushed && !(await holdsSlot(loop, recorded))) {
    return describeAbandoned(recorded, 'It lost the slot while it was gated; nothing was pushed.');
  }
  let pushed: DriveState | undefined;
  try {
    pushed = await takeStep(loop, pushStep, recorded);
  } catch (error) {
    if (!isSourceChange(error)) throw withSlotKept(loop, recorded, error);
    return discardVerdict(loop, recorded, error.details as unknown as ChangedSource);
  }
  if (!pushed) {
    loop.note(`${loop.targetBranch} has moved meanwhile: the merge is made and gated again.`);
    return { state: withoutMerge(recorded) };
  }
  await reportStep(loop, pushed);
  return finishLanding(loop, pushed);
}

/** Takes a step whose failure leaves the review in the slot. */
function takeInSlot(loop: DriveLoop, step: Step, state: DriveState): Promise<DriveState> {
  return takeStep(loop, step, state).catch((error: unknown) => {
    throw withSlotKept(loop, state, error);
  });
}

/** Makes the merge and gates it. */
async function mergeAndGate(loop: DriveLoop, state: DriveState): Promise<DriveState> {
  let current = state;
  for (const step of [mergeStep, gateStep]) {
    if (current.pushed || current.buildId !== undefined) break;
    current = await takeInSlot(loop, step, current);
  }
  return current;
}

/** Reports the verdict, and records it as the GATE build. */
async function reportAndRecord(loop: DriveLoop, state: DriveState): Promise<DriveState> {
  if (state.buildId !== undefined) return state;
  return takeStep(loop, recordStep, await takeStep(loop, reportVerdict, state));
}

/**
 * Discards the verdict on a merge whose source changed, whatever it was: a person may have pushed the correction. If
 * the source was deleted, there is nothing left to merge, and the review fails.
 */
async function discardVerdict(
  loop: DriveLoop,
  state: DriveState,
  change: ChangedSource,
): Promise<DrivenReview | Outdated> {
  const sourceChange = describeChange(change);
  const { gateRunId, buildId, merge } = state;
  if (gateRunId !== undefined && buildId === undefined) {
    await decideGateRun(loop, gateRunId, { verdict: 'INCONCLUSIVE', failingStep: stepOf(change) });
  }
  if (change.seenCommit !== undefined) {
    loop.note(`${sourceChange}. Nothing was pushed: the new tip is merged and gated.`);
    return { state: withoutMerge(state), sourceChange };
  }
  const verdict = {
    successful: false,
    failingStep: 'source',
    detail: `${sourceChange}. Nothing was pushed.`,
  };
  return describeDriven(await reportAndRecord(loop, { ...withoutMerge(state), merge, verdict }), 'FAILED');
}

/** The reason of an INCONCLUSIVE gate run. */
function stepOf({ sourceCommit, seenCommit }: ChangedSource): string {
  return seenCommit === undefined
    ? 'the source was deleted meanwhile'
    : `the source moved meanwhile, from ${sourceCommit} to ${seenCommit}`;
}

/** Puts the review back to the tail of its queue, so that others land meanwhile. */
async function putBack(context: DriveContext, state: DriveState, why: string): Promise<DrivenReview> {
  await requeue(context.platform.api, state.review.reviewId);
  const detail = `Its source changed during each of ${GATES_MAX} gates, so it was put back to the tail of the queue. ${why}. Nothing was pushed.`;
  return describeAbandoned(state, detail);
}

/**
 * Finishes a review that an earlier run, or another party, has moved on from MERGE. A landing is finished by its last steps.
 *
 * @returns undefined for a review at MERGE
 */
async function finishEnded(
  context: DriveContext,
  state: DriveState,
  { status, lastMergedBuildId }: Review,
): Promise<DrivenReview | undefined> {
  if (status === 'MERGE') return undefined;
  if (status === 'MERGED' && state.pushed && state.buildId === lastMergedBuildId) {
    return finishLanding(context, state);
  }
  if (status === 'MERGED') {
    return addVerdict(context, {
      ...describeDriven(state, 'MERGED_ELSEWHERE'),
      detail: 'It was merged elsewhere.',
    });
  }
  if (status === 'FAILED' && state.verdict?.successful === false) return describeDriven(state, 'FAILED');
  return describeAbandoned(state, `It is at ${status}.`);
}

/** The last steps, which are repeated if an earlier run was stopped in them. */
async function finishLanding(context: DriveContext, state: DriveState): Promise<DrivenReview> {
  await keepFiles(context, state);
  const verified = await addVerdict(context, describeDriven(state, 'MERGED'));
  const merged = { ...verified, pullRequest: await closeStep(context, state) };
  const checkpoint = await checkpointStep(context, state).catch((error: unknown) => {
    throw withEndedReviews([merged], error);
  });
  return checkpoint ? { ...merged, checkpoint } : merged;
}

/** The merged review with the verdict on its content. If it cannot be read, the merge is reported all the same. */
async function addVerdict({ platform, note }: DriveContext, merged: DrivenReview): Promise<DrivenReview> {
  const { reviewId } = merged;
  const reading = getReview(platform.api, { reviewId }).then((review) => withVerdict(platform.api, review));
  const { contentVerdict } = await reading.catch((error: unknown) => {
    const failure = apiFailure(error);
    if (!failure) throw error;
    note(`What landed is not judged here: ${failure.message}`);
    return { contentVerdict: undefined };
  });
  const notice = contentNotice({ ...merged, contentVerdict });
  if (notice !== undefined) note(notice);
  return contentVerdict === undefined ? merged : { ...merged, contentVerdict };
}

function describeAbandoned(state: DriveState, detail: string): DrivenReview {
  return { ...describeDriven(state, 'ABANDONED'), detail };
}

function describeDriven(
  { review, merge, buildId, verdict }: DriveState,
  outcome: DrivenReview['outcome'],
): DrivenReview {
  const { mergeCommit } = merge ?? {};
  const facts = { mergeCommit, buildId, tested: verdict?.tested, detail: verdict?.detail };
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return { ...review, outcome, ...known };
}
