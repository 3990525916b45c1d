import type { ProcessIdentity } from '@plat/local';
import { isTimedOut, runWithin } from '../gate/gate-time';
import type { Git } from '../gate/git';
import { noteGate } from '../gate/noted-gates';
import { requireStanding } from '../gate/standing';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { OutputTail } from '../terminal/output-tail';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';
import type { GateOutcome } from './gate';
import { prepareFiles } from './gate-files';
import { decide, isHeld, startGateRun } from './gate-runs';
import { checkOutInDrive } from './set-aside';
import { withWorktreeGivenUp } from './tidy-worktree';

const STEP = 'gate';

/**
 * Runs the gate on the merge, and makes the attempt visible. A merge that could not be made needs no gate.
 *
 * @throws Failure GATED_ELSEWHERE; CHECKOUT_MOVED or GATE_CHANGED_FILES if a gate that passed is no longer about the
 *   merge
 */
export async function gateStep(context: DriveContext, state: DriveState): Promise<DriveState> {
  const { merge, verdict } = state;
  if (verdict || merge?.mergeCommit === undefined) return state;
  await prepareFiles(context, merge.mergeCommit).catch((error: unknown) => {
    throw withWorktreeGivenUp(context.git, error);
  });
  const kept = state.gateRunId !== undefined && (await isHeld(context, state.gateRunId));
  const gateRunId = kept ? state.gateRunId : await startGateRun(context, state);
  const running: DriveState = { ...state, gateRunId };
  await context.stateFile.write(running);
  const outcome = await context.progress(`Gating ${state.review.name}`, runGate(context, running));
  // A failed gate fails its review whatever it left, or a branch could hold the queue by changing a file.
  if (outcome.successful) await requireGatedMerge(context, running, merge.mergeCommit);
  if (!outcome.timedOut) await noteGate(context.git, merge.mergeCommit, outcome.successful);
  return { ...running, verdict: { ...outcome, failingStep: failingStepOf(context, outcome) } };
}

/** @throws Failure CHECKOUT_MOVED, GATE_CHANGED_FILES, HIDDEN_FILES, after the gate run has ended without a verdict */
async function requireGatedMerge(
  context: DriveContext,
  running: DriveState,
  mergeCommit: string,
): Promise<void> {
  try {
    await requireStanding(context.git, undefined, mergeCommit);
  } catch (error) {
    await context.stateFile.write({ ...running, gateRunId: undefined });
    // If it cannot be decided now, the next run of this checkout decides it, because it holds the same review.
    if (running.gateRunId !== undefined) {
      await decide(context, running.gateRunId, { verdict: 'INCONCLUSIVE' }).catch(() => undefined);
    }
    throw nameDriveFolder(context.git, error);
  }
}

function failingStepOf(
  { gateTime }: DriveContext,
  { successful, timedOut }: GateOutcome,
): string | undefined {
  if (successful) return undefined;
  return timedOut ? `${STEP}: no end within ${gateTime.text}` : STEP;
}

async function runGate(context: DriveContext, state: DriveState): Promise<GateOutcome> {
  const { gate, gateProcess, git, gateTime, output } = context;
  const { targetCommit = '' } = state.merge ?? {};
  const tail = new OutputTail();
  const run = {
    git,
    targetCommit,
    checkOutTarget: () => checkOutInDrive(context, targetCommit),
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
    return { successful: false, timedOut: true, detail: [error.message, said].filter(Boolean).join('\n') };
  } finally {
    // However the gate ended, its processes have ended.
    await gateProcess.clear();
  }
}

/** The changed files are in the drive's worktree, where the next drive keeps them and gates again. */
function nameDriveFolder({ folder }: Git, error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'GATE_CHANGED_FILES') return error;
  const { code, message, details, exitCode } = error;
  const next = nextStep(
    ['git', '-C', folder, 'diff'],
    ', to see what changed; let the gate change no tracked file; then repeat the command, which keeps the changes in git stash and gates again',
  );
  return new Failure(code, message, { details: { ...details, folder }, next, exitCode });
}
