import { noteGate } from '../gate/noted-gates';
import { requireStanding } from '../gate/standing';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';
import type { GateOutcome } from './gate';
import { checkOutAfterGate, foundBeforeGate } from './gate-leavings';
import { decide, isHeld, startGateRun } from './gate-runs';

const STEP = 'gate';

/**
 * Runs the gate on the merge, and makes the attempt visible. A merge that could not be made needs no gate.
 *
 * @throws Failure GATED_ELSEWHERE; CHECKOUT_MOVED or GATE_CHANGED_FILES if the gate's result is no longer about the
 *   merge
 */
export async function gateStep(context: DriveContext, state: DriveState): Promise<DriveState> {
  const { merge, verdict } = state;
  if (verdict || merge?.mergeCommit === undefined) return state;
  const kept = state.gateRunId !== undefined && (await isHeld(context, state.gateRunId));
  const gateRunId = kept ? state.gateRunId : await startGateRun(context, state);
  // A gate that is run again may find what its first run left.
  const found = state.foundBeforeGate ?? (await foundBeforeGate(context.git, merge));
  const running: DriveState = { ...state, gateRunId, foundBeforeGate: found };
  await context.stateFile.write(running);
  const outcome = await context.progress(`Gating ${state.review.name}`, runGate(context, running));
  try {
    await requireStanding(context.git, context.targetBranch, merge.mergeCommit);
  } catch (error) {
    await context.stateFile.write({ ...running, gateRunId: undefined });
    // If it cannot be decided now, the next run of this checkout decides it, because it holds the same review.
    if (gateRunId !== undefined) {
      await decide(context, gateRunId, { verdict: 'INCONCLUSIVE' }).catch(() => undefined);
    }
    throw error;
  }
  await noteGate(context.git, merge.mergeCommit, outcome.successful);
  return { ...running, verdict: { ...outcome, failingStep: outcome.successful ? undefined : STEP } };
}

async function runGate(context: DriveContext, state: DriveState): Promise<GateOutcome> {
  const { gate, gateProcess, git, interrupted, output } = context;
  const { targetCommit = '' } = state.merge ?? {};
  try {
    return await gate.run({
      git,
      targetCommit,
      checkOutTarget: () => checkOutAfterGate(context, state, targetCommit),
      interrupted,
      output,
      beginning: (leader) => gateProcess.write(leader),
    });
  } finally {
    // However the gate ended, its processes have ended.
    await gateProcess.clear();
  }
}
