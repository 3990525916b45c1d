import type { ProcessIdentity } from '@plat/local';
import { requireStanding } from '../checkout/standing';
import { isTimedOut, runWithin } from '../gate/gate-time';
import { noteGate } from '../gate/noted-gates';
import { Failure } from '../terminal/failure';
import { OutputTail } from '../terminal/output-tail';
import { renewWorktree } from '../worktree/renew-worktree';
import { restoreFolder } from '../worktree/restore-folder';
import type { DriveContext } from './drive-context';
import type { Store } from './drive-loop';
import type { DriveState } from './drive-state';
import type { GateOutcome } from './gate';
import { prepareFiles } from './gate-files';
import { isHeld, startGateRun } from './gate-runs';
import { keepLeftCommit } from './left-commit';
import { checkOutInDrive } from './set-aside';
import { withWorktreeGivenUp } from './tidy-worktree';

const STEP = 'gate';

/**
 * Runs the gate on the merge, and makes the attempt visible. A merge that could not be made needs no gate.
 *
 * @throws Failure GATED_ELSEWHERE
 */
export async function gateStep(context: DriveContext, state: DriveState, store: Store): Promise<DriveState> {
  const { merge, verdict } = state;
  if (verdict || merge?.mergeCommit === undefined) return state;
  await prepareFiles(context, merge.mergeCommit).catch((error: unknown) => {
    throw withWorktreeGivenUp(context.git, error);
  });
  const kept = state.gateRunId !== undefined && (await isHeld(context, state.gateRunId));
  const gateRunId = kept ? state.gateRunId : await startGateRun(context, state);
  const running: DriveState = { ...state, gateRunId };
  // A drive that is killed in the gate goes on with the same gate run.
  await store(running);
  const ended = await context.progress(`Gating ${state.review.name}`, runGate(context, running));
  await restoreFolder(context.git);
  await keepLeftCommit(context);
  const outcome = await judge(context, merge.mergeCommit, ended);
  if (outcome.undecided === undefined) await noteGate(context.git, merge.mergeCommit, outcome.successful);
  return { ...running, verdict: { ...outcome, failingStep: failingStepOf(outcome) } };
}

/** A success counts only if what was gated is still the merge. */
async function judge({ git }: DriveContext, mergeCommit: string, ended: GateOutcome): Promise<GateOutcome> {
  // A failed gate fails its review whatever it left, or a branch could hold the queue by changing a file.
  if (!ended.successful) return ended;
  try {
    await requireStanding(git, undefined, mergeCommit);
    return ended;
  } catch (error) {
    const undecided = error instanceof Failure ? SPOILED[error.code] : undefined;
    if (!(error instanceof Failure) || undecided === undefined) throw error;
    return {
      successful: false,
      undecided,
      detail: `The gate passed, but says nothing of the merge. ${error.message}`,
    };
  }
}

/** How a gate has spoiled the merge that it was to test, by the code of the failure. */
const SPOILED: Readonly<Record<string, string>> = {
  GATE_CHANGED_FILES: 'it passed and changed tracked files',
  HIDDEN_FILES: 'it passed and hid files from git',
  CHECKOUT_MOVED: 'it passed and moved the checkout',
};

function failingStepOf({ successful, undecided }: GateOutcome): string | undefined {
  if (successful) return undefined;
  return undecided === undefined ? STEP : `${STEP}: ${undecided}`;
}

/** Checks out the target alone. What the gate of the merge left must not decide what is found there. */
async function checkOutTarget(context: DriveContext, targetCommit: string): Promise<void> {
  const { git, note } = context;
  await restoreFolder(git);
  await keepLeftCommit(context);
  await renewWorktree(git, note);
  await checkOutInDrive(context, targetCommit);
}

async function runGate(context: DriveContext, state: DriveState): Promise<GateOutcome> {
  const { gate, gateProcess, git, gateTime, output } = context;
  const { targetCommit = '' } = state.merge ?? {};
  const tail = new OutputTail();
  const run = {
    git,
    targetCommit,
    checkOutTarget: () => checkOutTarget(context, targetCommit),
    output(chunk: Buffer) {
      output(chunk);
      tail.add(chunk);
    },
    beginning: (leader: ProcessIdentity) => gateProcess.write(leader),
  };
  try {
    return await runWithin(gateTime, context.interrupted, (interrupted) => gate.run({ ...run, interrupted }));
  } catch (error) {
    if (!isTimedOut(error)) throw error;
    const said = tail.text();
    const undecided = `no end within ${gateTime.text}`;
    return { successful: false, undecided, detail: [error.message, said].filter(Boolean).join('\n') };
  } finally {
    // However the gate ended, its processes have ended.
    await gateProcess.clear();
  }
}
