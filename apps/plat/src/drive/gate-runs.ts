import { createGateRun, type GateRun, getGateRun, listGateRuns, updateGateRun } from '@plat/api-client';
import type { FailureCode } from '../error-codes/failure-code';
import { apiFailure } from '../failures/api-failure';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { driveCommand, type PrintedDrive } from './drive-command';
import type { DriveContext } from './drive-context';
import type { Store } from './drive-loop';
import type { DriveState } from './drive-state';

/**
 * Makes the gate of a merge visible and holds it: for each review only one held run is running, on all machines.
 *
 * @returns undefined for a caller who may not report gate runs, and for a merge that could not be made
 * @throws Failure GATED_ELSEWHERE, with the holder and the time
 */
export async function startGateRun(context: DriveContext, state: DriveState): Promise<string | undefined> {
  const { sourceCommit, mergeCommit } = state.merge ?? {};
  if (sourceCommit === undefined) return undefined;
  const started = await holdGateRun(context, state, { sourceCommit, mergeCommit });
  const other = started && (await findRunPassedElsewhere(context, state));
  if (other) {
    await decideGateRun(context, started, { verdict: 'INCONCLUSIVE' });
    throw gatedElsewhere(context, state, other);
  }
  return started;
}

async function holdGateRun(
  context: DriveContext,
  state: DriveState,
  commits: { sourceCommit: string; mergeCommit: string | undefined },
): Promise<string | undefined> {
  const body = { ...addressOf(context, state), ...commits, holder: context.holder };
  try {
    return (await createGateRun(context.platform.api, { body })).gateRunId;
  } catch (error) {
    if (noteDenial(context, error)) return undefined;
    const held = runInTheWay(error);
    if (!held) throw error;
    const isOwn = held.holder === context.holder;
    if (!isOwn && !context.takeOver) throw gatedElsewhere(context, state, held);
    // An earlier drive of this checkout started the held run, and was killed before it could store the id. The hash
    // alone is not enough: two checkouts that merge in the same second make the same commit.
    if (isOwn && held.mergeCommit === commits.mergeCommit) return held.gateRunId;
    // A run that this caller may not end keeps others from the review.
    if ((await decideGateRun(context, held.gateRunId, { verdict: 'INCONCLUSIVE' })) === undefined) {
      throw error;
    }
    return holdGateRun(context, state, commits);
  }
}

/** A gate run of another party that gates the review, or did. */
type OtherRun = Pick<GateRun, 'gateRunId' | 'holder' | 'mergeCommit' | 'verdict' | 'createdAt'>;

/** The held run that prevented another one, as the refusal names it. */
function runInTheWay(error: unknown): OtherRun | undefined {
  const refusal = apiFailure(error);
  if (refusal?.code !== 'GATE_RUN_HELD') return undefined;
  const { gateRunId, since, ...named } = refusal.details as Partial<OtherRun> & { since?: string };
  return gateRunId && since ? { ...named, gateRunId, verdict: 'RUNNING', createdAt: since } : undefined;
}

/**
 * Notes that the platform denies gate runs to the caller, who then drives without them. No other failure counts as a
 * denial: a drive that goes on after it would push what another holder has taken over.
 *
 * @returns whether the error is such a denial
 */
function noteDenial(
  { note }: DriveContext,
  error: unknown,
  codes: readonly FailureCode[] = ['FORBIDDEN'],
): boolean {
  const refusal = apiFailure(error);
  if (!refusal || !codes.includes(refusal.code)) return false;
  note(`The gate run is not visible: ${refusal.message}`);
  return true;
}

/**
 * Decides a gate run. An earlier decision stays.
 *
 * @returns its verdict now; undefined for a caller who may not decide it
 * @throws any other failure of the platform; a repeated drive decides the run
 */
export async function decideGateRun(
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
    // A deleted run has no decision.
    if (noteDenial(context, error, ['FORBIDDEN', 'NOT_FOUND'])) return undefined;
    throw error;
  }
}

/** Whether this checkout still holds a run that it started, so that no other holder has taken the review over. */
export async function isHeld({ platform }: DriveContext, gateRunId: string): Promise<boolean> {
  return (await getGateRun(platform.api, { gateRunId })).verdict === 'RUNNING';
}

/**
 * Reports the verdict of a gate. A merge that could not be made is reported as a run of its own.
 *
 * @throws Failure TAKEN_OVER if another party decided the run meanwhile, so that this gate's verdict does not count
 */
export async function reportVerdict(
  context: DriveContext,
  state: DriveState,
  store: Store,
): Promise<DriveState> {
  const { gateRunId, verdict, merge } = state;
  if (!verdict) return state;
  // Spec: API, Gate run, rule 3.
  const failed = verdict.undecided === undefined ? 'FAILED' : 'INCONCLUSIVE';
  const body = {
    verdict: verdict.successful ? 'PASSED' : failed,
    failingStep: verdict.failingStep,
  } as const;
  if (gateRunId !== undefined) {
    const decided = await decideGateRun(context, gateRunId, body);
    if (decided === undefined || decided === body.verdict) return state;
    // The merge is gated again by the next drive, which can then take the review over in turn.
    await store({ ...state, gateRunId: undefined, verdict: undefined });
    throw takenOver(context, state, decided);
  }
  const { sourceCommit, mergeCommit } = merge ?? {};
  if (sourceCommit === undefined || mergeCommit !== undefined) return state;
  const run = { ...addressOf(context, state), sourceCommit, ...body };
  try {
    await createGateRun(context.platform.api, { body: run });
  } catch (error) {
    if (!noteDenial(context, error)) throw error;
  }
  return state;
}

/**
 * The gate run of another holder for the review: one that is running, or that has passed since the review came to MERGE
 * and is not reported yet.
 */
export async function otherGateRun(context: DriveContext, state: DriveState): Promise<GateRun | undefined> {
  const { gateRuns } = await newestRuns(context, state);
  return gateRuns.find(
    (run) => run.holder !== context.holder && (run.verdict === 'RUNNING' || isPassedSince(run, state)),
  );
}

/**
 * Checks again, because another holder's gate may have passed between the last look at its runs and the start of this
 * one.
 */
async function findRunPassedElsewhere(
  context: DriveContext,
  state: DriveState,
): Promise<GateRun | undefined> {
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

/** The failure for a review that another holder gates, with the next step. */
export function gatedElsewhere(context: PrintedDrive, { review }: DriveState, run: OtherRun): Failure {
  const who = run.holder ?? 'someone who gates by hand';
  const how = run.verdict === 'RUNNING' ? 'is gated' : 'has passed the gate and is not reported yet,';
  return new Failure('GATED_ELSEWHERE', `"${review.name}" ${how} by ${who}, since ${run.createdAt}.`, {
    details: {
      reviewId: review.reviewId,
      gateRunId: run.gateRunId,
      holder: run.holder,
      since: run.createdAt,
    },
    next: nextStep(
      'wait until it is MERGED or FAILED: plat review wait',
      [review.reviewId],
      '; if',
      [who],
      'is gone:',
      driveCommand(context, '--take-over'),
    ),
  });
}

function takenOver(context: PrintedDrive, { review }: DriveState, verdict: string): Failure {
  return new Failure(
    'TAKEN_OVER',
    `The gate run of "${review.name}" was decided ${verdict} by someone else.`,
    {
      details: { reviewId: review.reviewId },
      next: nextStep(
        'leave the review to its new holder; once it is MERGED or FAILED:',
        driveCommand(context),
        '; if the holder is gone:',
        driveCommand(context, '--take-over'),
      ),
    },
  );
}

function addressOf({ targetBranch }: DriveContext, { review }: DriveState) {
  return { sourceBranch: review.sourceBranch, targetBranch, reviewId: review.reviewId };
}
