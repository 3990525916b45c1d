import { requireGateBranches } from '../gate/branches';
import { commitOf, currentBranch, requireCleanTree } from '../gate/checkout';
import { gateMerge, type SkippedSource } from '../gate/gate-merge';
import { skipDetail } from '../gate/gate-merge-view';
import { gateRef } from '../gate/gate-refs';
import { leftBehind } from '../gate/local-commits';
import { checkOut, moveBranch, onBranchArguments, requireNotElsewhere } from '../gate/place';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';
import { checkOutAfterGate } from './gate-leavings';
import { decide } from './gate-runs';
import { landedState } from './landed-state';
import { slotKept } from './slot-kept';
import { isOn, targetTip } from './target-tip';

/** The prospective merge of the review, checked out; a merge that cannot be made is a failed gate. */
export async function mergeStep(context: DriveContext, state: DriveState): Promise<DriveState> {
  const { git, targetBranch, progress, stateFile } = context;
  await requireCleanTree(git);
  if (state.merge) {
    return checkOutMerge(context, state);
  }
  const { sourceBranch, name } = state.review;
  requireGateBranches([sourceBranch], targetBranch);
  await stateFile.write({ ...state, merging: true });
  const messages = () => Promise.resolve(new Map([[sourceBranch, name]]));
  const merging = gateMerge(git, { sources: [sourceBranch], targetBranch, messages }, progress);
  const gate = await merging.catch(async (error: unknown) => {
    // The checkout was put back: what is changed in it from now on is a person's.
    await stateFile.write(state);
    throw error;
  });
  const [merged] = gate.merged;
  const { targetCommit } = gate;
  if (merged) {
    const merge = { targetCommit, sourceCommit: merged.sourceCommit, mergeCommit: merged.commitId };
    return { ...state, merge };
  }
  const [skipped] = gate.skipped;
  // It adds nothing since it is there: another drive has pushed it.
  const landing = skipped?.reason === 'empty' ? await landedState(context, state) : undefined;
  if (landing) return landing;
  const merge = { targetCommit, sourceCommit: skipped?.sourceCommit };
  return { ...state, merge, verdict: cannotMerge(sourceBranch, skipped) };
}

/**
 * What an earlier run merged, unless the target has moved since: a merge onto what the target was is gated for
 * nothing, and one that broke because of the target stays broken after that was mended.
 *
 * @throws Failure NO_SUCH_TARGET
 */
export async function currentMerge(context: DriveContext, state: DriveState): Promise<DriveState> {
  const { merge, verdict, gateRunId } = state;
  if (!merge || state.pushed || verdict?.successful === false) return state;
  const tip = await targetTip(context, state);
  if (tip === merge.targetCommit) return state;
  if (merge.mergeCommit !== undefined && (await isOn(context, merge.mergeCommit, tip))) {
    return verdict ? { ...state, pushed: true } : state;
  }
  context.note(`${context.targetBranch} has moved since the merge was made: it is made again.`);
  if (gateRunId !== undefined && !verdict) await decide(context, gateRunId, { verdict: 'INCONCLUSIVE' });
  return mergedAgain(context, state);
}

/** The review without what was made of it, for another merge: what its gate left would be in the way of that. */
export async function mergedAgain(context: DriveContext, state: DriveState): Promise<DriveState> {
  if (state.foundBeforeGate !== undefined) {
    await dropMerge(context, state).catch((error: unknown) => {
      throw slotKept(context, state, error);
    });
  }
  return begunAgain(state);
}

/** The review as it was taken, without what was made of it. */
function begunAgain({ apiUrl, review, takenAt }: DriveState): DriveState {
  return { apiUrl, review, ...(takenAt !== undefined && { takenAt }) };
}

function cannotMerge(sourceBranch: string, skipped: SkippedSource | undefined): DriveState['verdict'] {
  const why = skipped ? skipDetail(skipped) : 'it was skipped';
  return { successful: false, failingStep: 'merge', detail: `${sourceBranch} cannot be merged: ${why}.` };
}

/** The merge that an earlier run made, as it was: made again it would be another commit. */
async function checkOutMerge(context: DriveContext, state: DriveState): Promise<DriveState> {
  const { git, targetBranch } = context;
  const commit = state.merge?.mergeCommit;
  if (commit === undefined) return state;
  const there = [await currentBranch(git), await commitOf(git, 'HEAD')];
  if (there[0] === targetBranch && there[1] === commit) return state;
  await moveTarget(context, { onto: commit, checkOut: () => checkOut(git, commit) });
  // What lies in it now was not left by a gate before.
  const { foundBeforeGate: _before, ...moved } = state;
  return moved;
}

/** Leaves no merge behind that does not land: the local target branch stands where origin's did. */
export async function dropMerge(context: DriveContext, state: DriveState): Promise<void> {
  const { mergeCommit } = state.merge ?? {};
  if (mergeCommit === undefined) return;
  const tip = await commitOf(context.git, gateRef(context.targetBranch));
  if (tip === undefined) return;
  const move = { onto: tip, own: mergeCommit, checkOut: () => checkOutAfterGate(context, state, tip) };
  await moveTarget(context, move);
}

interface TargetMove {
  onto: string;
  /** A merge that is given up. */
  own?: string;
  checkOut(): Promise<void>;
}

async function moveTarget({ git, targetBranch }: DriveContext, move: TargetMove): Promise<void> {
  const { onto, own } = move;
  const from = await commitOf(git, `refs/heads/${targetBranch}`);
  await leftBehind(git, { branch: targetBranch, from, onto, own: [own] });
  await requireNotElsewhere(git, targetBranch);
  await move.checkOut();
  await moveBranch(git, { branch: targetBranch, from, to: onto });
  await git.run(onBranchArguments(targetBranch));
}
