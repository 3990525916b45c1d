import { createGateRun, listGateRuns, updateGateRun } from '@plat/api-client';
import { apiFailure } from '../session/api-failure';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';
import type { GateOutcome } from './gate';

const STEP = 'gate';

/** Runs the gate on the merge, and makes the attempt visible. A merge that could not be made needs no gate. */
export async function gateStep(context: DriveContext, state: DriveState): Promise<DriveState> {
  if (state.verdict) return state;
  const gateRunId = state.gateRunId ?? (await visibly(context, () => startGateRun(context, state)));
  const running = { ...state, gateRunId };
  await context.stateFile.write(running);
  const outcome = await context.progress(`Gating ${state.review.name}`, runGate(context, state));
  return { ...running, verdict: { ...outcome, ...(outcome.successful ? {} : { failingStep: STEP }) } };
}

async function runGate(context: DriveContext, { merge }: DriveState): Promise<GateOutcome> {
  const { gate, gateProcess, git, interrupted, output } = context;
  try {
    return await gate.run({
      git,
      targetCommit: merge?.targetCommit ?? '',
      interrupted,
      output,
      beginning: (leader) => gateProcess.write(leader),
    });
  } finally {
    // However it ended, its processes have.
    await gateProcess.clear();
  }
}

/** Tells the verdict; one that an earlier run told stays. */
export async function tellGateRun(context: DriveContext, state: DriveState): Promise<void> {
  const { gateRunId, verdict } = state;
  if (!verdict) return;
  const decided = verdict.successful ? 'PASSED' : 'FAILED';
  const body = { verdict: decided, failingStep: verdict.failingStep } as const;
  await visibly(context, async () => {
    const { api } = context.platform;
    if (gateRunId !== undefined) return updateGateRun(api, { gateRunId, body });
    const { sourceCommit } = state.merge ?? {};
    if (sourceCommit === undefined) return undefined;
    return createGateRun(api, { body: { ...addressOf(context, state), sourceCommit, ...body } });
  });
}

async function startGateRun(context: DriveContext, state: DriveState): Promise<string | undefined> {
  const { api } = context.platform;
  const { sourceCommit, mergeCommit } = state.merge ?? {};
  if (sourceCommit === undefined) return undefined;
  const { reviewId } = state.review;
  const { gateRuns } = await listGateRuns(api, { query: { reviewId, status: 'RUNNING' } });
  // Started by an earlier run that was killed before it could note the id.
  const started = gateRuns.find((run) => run.mergeCommit === mergeCommit);
  if (started) return started.gateRunId;
  const body = { ...addressOf(context, state), sourceCommit, mergeCommit };
  return (await createGateRun(api, { body })).gateRunId;
}

function addressOf({ targetBranch }: DriveContext, { review }: DriveState) {
  return { sourceBranch: review.sourceBranch, targetBranch, reviewId: review.reviewId };
}

/** A gate run moves no review, so a drive goes on without one. */
async function visibly<T>({ note }: DriveContext, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    const failure = apiFailure(error);
    if (!failure) throw error;
    if (failure.code !== 'GATE_RUN_ALREADY_DECIDED') note(`The gate run is not visible: ${failure.message}`);
    return undefined;
  }
}
