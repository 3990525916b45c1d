import { createGateRun, type GateRun, getGateRun, listGateRuns, updateGateRun } from '@plat/api-client';
import { apiFailure } from '../session/api-failure';
import { Failure } from '../terminal/failure';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';

/**
 * Makes the gate of a merge visible and holds it: of one review one held run is running, on whatever machine.
 *
 * @returns undefined for a caller who may not report gate runs, and for a merge that could not be made
 * @throws Failure GATED_ELSEWHERE, with who and since when
 */
export async function startGateRun(context: DriveContext, state: DriveState): Promise<string | undefined> {
  const { sourceCommit, mergeCommit } = state.merge ?? {};
  if (sourceCommit === undefined) return undefined;
  const started = await heldRun(context, state, { sourceCommit, mergeCommit });
  const other = started && (await passedElsewhere(context, state));
  if (other) {
    await decide(context, started, { verdict: 'INCONCLUSIVE' });
    throw gatedElsewhere(context, state, other);
  }
  return started;
}

async function heldRun(
  context: DriveContext,
  state: DriveState,
  commits: { sourceCommit: string; mergeCommit: string | undefined },
): Promise<string | undefined> {
  const body = { ...addressOf(context, state), ...commits, holder: context.holder };
  try {
    return (await createGateRun(context.platform.api, { body })).gateRunId;
  } catch (error) {
    if (notVisible(context, error)) return undefined;
    const held = runInTheWay(error);
    if (!held) throw error;
    const isOwn = held.holder === context.holder;
    if (!isOwn && !context.takeOver) throw gatedElsewhere(context, state, held);
    // Started by an earlier run of this checkout, which was killed before it could note the id. The hash alone does
    // not tell: two checkouts that merge in the same second make the same commit.
    if (isOwn && held.mergeCommit === commits.mergeCommit) return held.gateRunId;
    // A run that this caller may not end keeps others from the review.
    if ((await decide(context, held.gateRunId, { verdict: 'INCONCLUSIVE' })) === undefined) throw error;
    return heldRun(context, state, commits);
  }
}

/** A gate run of somebody who is, or was, at the review. */
type OtherRun = Pick<GateRun, 'gateRunId' | 'holder' | 'mergeCommit' | 'verdict' | 'createdAt'>;

/** The held run that kept another from being started, as the refusal names it. */
function runInTheWay(error: unknown): OtherRun | undefined {
  const refusal = apiFailure(error);
  if (refusal?.code !== 'GATE_RUN_HELD') return undefined;
  const { gateRunId, since, ...named } = refusal.details as Partial<OtherRun> & { since?: string };
  return gateRunId && since ? { ...named, gateRunId, verdict: 'RUNNING', createdAt: since } : undefined;
}

/**
 * Whether the platform keeps gate runs from the caller, who drives without them. Any other failure tells nothing: a
 * drive that took it for agreement would push what somebody else has taken over.
 */
function notVisible(
  { note }: DriveContext,
  error: unknown,
  codes: readonly string[] = ['FORBIDDEN'],
): boolean {
  const refusal = apiFailure(error);
  if (!refusal || !codes.includes(refusal.code)) return false;
  note(`The gate run is not visible: ${refusal.message}`);
  return true;
}

/**
 * Decides a gate run; one that is decided already stays.
 *
 * @returns the verdict that it has now; undefined for a caller who may not decide it
 * @throws what the platform fails with otherwise: a repeated drive decides it
 */
export async function decide(
  context: DriveContext,
  gateRunId: string,
  body: { verdict: 'PASSED' | 'FAILED' | 'INCONCLUSIVE'; failingStep?: string | undefined },
): Promise<GateRun['verdict'] | undefined> {
  const { api } = context.platform;
  try {
    return (await updateGateRun(api, { gateRunId, body })).verdict;
  } catch (error) {
    if (apiFailure(error)?.code === 'GATE_RUN_ALREADY_DECIDED') {
      return (await getGateRun(api, { gateRunId })).verdict;
    }
    // Of a run that is gone nobody has decided anything.
    if (notVisible(context, error, ['FORBIDDEN', 'NOT_FOUND'])) return undefined;
    throw error;
  }
}

/** Whether a run that this checkout started is still held by it: nobody has taken the review over. */
export async function isHeld({ platform }: DriveContext, gateRunId: string): Promise<boolean> {
  return (await getGateRun(platform.api, { gateRunId })).verdict === 'RUNNING';
}

/**
 * Reports the verdict of a gate; that of a merge which could not be made as a run of its own.
 *
 * @throws Failure TAKEN_OVER when somebody decided the run meanwhile: its verdict is not this gate's to tell
 */
export async function reportVerdict(context: DriveContext, state: DriveState): Promise<void> {
  const { gateRunId, verdict, merge } = state;
  if (!verdict) return;
  const body = {
    verdict: verdict.successful ? 'PASSED' : 'FAILED',
    failingStep: verdict.failingStep,
  } as const;
  if (gateRunId !== undefined) {
    const decided = await decide(context, gateRunId, body);
    if (decided === undefined || decided === body.verdict) return;
    throw takenOver(context, state, decided);
  }
  const { sourceCommit, mergeCommit } = merge ?? {};
  if (sourceCommit === undefined || mergeCommit !== undefined) return;
  const run = { ...addressOf(context, state), sourceCommit, ...body };
  try {
    await createGateRun(context.platform.api, { body: run });
  } catch (error) {
    if (!notVisible(context, error)) throw error;
  }
}

/**
 * The gate run of somebody else who is at the review: one that is running, or that has passed since the review came
 * to MERGE and is not reported yet.
 */
export async function otherGateRun(context: DriveContext, state: DriveState): Promise<GateRun | undefined> {
  const { gateRuns } = await newestRuns(context, state);
  return gateRuns.find(
    (run) => run.holder !== context.holder && (run.verdict === 'RUNNING' || isPassedSince(run, state)),
  );
}

/** A gate of another holder may have passed between the look at its runs and the start of this one. */
async function passedElsewhere(context: DriveContext, state: DriveState): Promise<GateRun | undefined> {
  if (context.takeOver) return undefined;
  const { gateRuns } = await newestRuns(context, state);
  return gateRuns.find((run) => run.holder !== context.holder && isPassedSince(run, state));
}

function newestRuns({ platform }: DriveContext, { review }: DriveState) {
  return listGateRuns(platform.api, { query: { reviewId: review.reviewId } });
}

function isPassedSince({ verdict, createdAt }: GateRun, { takenAt }: DriveState): boolean {
  return verdict === 'PASSED' && takenAt !== undefined && Date.parse(createdAt) > Date.parse(takenAt);
}

/** Somebody else is at the review: what it takes to go on. */
export function gatedElsewhere(
  { targetBranch }: DriveContext,
  { review }: DriveState,
  run: OtherRun,
): Failure {
  const who = run.holder ?? 'somebody who gates by hand';
  const how = run.verdict === 'RUNNING' ? 'is gated' : 'has passed the gate and is not reported yet,';
  return new Failure('GATED_ELSEWHERE', `"${review.name}" ${how} by ${who}, since ${run.createdAt}.`, {
    details: {
      reviewId: review.reviewId,
      gateRunId: run.gateRunId,
      holder: run.holder,
      since: run.createdAt,
    },
    next: `wait until it is MERGED or FAILED: plat review wait ${review.reviewId}; if ${who} is gone: plat drive --target-branch ${targetBranch} --take-over`,
  });
}

function takenOver({ targetBranch }: DriveContext, { review }: DriveState, verdict: string): Failure {
  return new Failure(
    'TAKEN_OVER',
    `The gate run of "${review.name}" was decided ${verdict} by somebody else.`,
    {
      details: { reviewId: review.reviewId },
      next: `leave the review to who took it over; once it is MERGED or FAILED: plat drive --target-branch ${targetBranch}`,
    },
  );
}

function addressOf({ targetBranch }: DriveContext, { review }: DriveState) {
  return { sourceBranch: review.sourceBranch, targetBranch, reviewId: review.reviewId };
}
