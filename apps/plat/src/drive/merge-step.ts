import { requireGateBranches } from '../gate/branches';
import { commitOf, currentBranch, requireCleanTree } from '../gate/checkout';
import { gateMerge, type SkippedSource } from '../gate/gate-merge';
import { skipDetail } from '../gate/gate-merge-view';
import { gateRef } from '../gate/gate-refs';
import { leftBehind } from '../gate/local-commits';
import { checkOut, moveBranch, onBranchArguments, requireNotElsewhere } from '../gate/place';
import { type ChangedSource, findChangedSource, type SourceTip } from '../gate/source-tips';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';
import { checkOutAfterGate } from './gate-leavings';
import { decide } from './gate-runs';
import { landedState } from './landed-state';
import { slotKept } from './slot-kept';
import { isOn, targetTip } from './target-tip';

/** Makes the review's prospective merge and checks it out. A merge that cannot be made is a failed gate. */
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
    // The checkout is restored, so later changes in it are a person's.
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
  // The source may add nothing because another drive has pushed its merge.
  const landing = skipped?.reason === 'empty' ? await landedState(context, state) : undefined;
  if (landing) return landing;
  const merge = { targetCommit, sourceCommit: skipped?.sourceCommit };
  return { ...state, merge, verdict: cannotMerge(sourceBranch, skipped) };
}

/**
 * The merge of an earlier run, unless the target has moved since. A gate on the old target would be in vain, and a
 * failure that the target causes would remain after the target is repaired.
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

/**
 * The source, if it is no longer at the tip that was merged and the merge has not been pushed.
 *
 * @throws Failure GIT_FAILED if origin does not answer
 */
export async function changedSource(
  context: DriveContext,
  state: DriveState,
): Promise<ChangedSource | undefined> {
  const sources = state.pushed ? [] : mergedSources(state);
  if (sources.length === 0) return undefined;
  const reading = findChangedSource(context.git, sources);
  return context.progress(`Reading ${state.review.sourceBranch} again`, reading).catch((error: unknown) => {
    throw slotKept(context, state, error);
  });
}

/** The source of the review's merge; empty if origin lacked it, or if another drive made the merge. */
export function mergedSources({ review: { sourceBranch }, merge }: DriveState): SourceTip[] {
  const { sourceCommit } = merge ?? {};
  return sourceCommit === undefined ? [] : [{ sourceBranch, sourceCommit }];
}

/** Drops the merge so that it can be made again: files that its gate left would be in the way of the next. */
export async function mergedAgain(context: DriveContext, state: DriveState): Promise<DriveState> {
  if (state.foundBeforeGate !== undefined) {
    await dropMerge(context, state).catch((error: unknown) => {
      throw slotKept(context, state, error);
    });
  }
  return withoutMerge(state);
}

/** The review without its merge, as when it was taken. */
export function withoutMerge({ apiUrl, review, takenAt }: DriveState): DriveState {
  return { apiUrl, review, takenAt };
}

function cannotMerge(sourceBranch: string, skipped: SkippedSource | undefined): DriveState['verdict'] {
  const why = skipped ? skipDetail(skipped) : 'it was skipped';
  return { successful: false, failingStep: 'merge', detail: `${sourceBranch} cannot be merged: ${why}.` };
}

/** Checks out an earlier run's merge unchanged, because a new merge would be another commit. */
async function checkOutMerge(context: DriveContext, state: DriveState): Promise<DriveState> {
  const { git, targetBranch } = context;
  const commit = state.merge?.mergeCommit;
  if (commit === undefined) return state;
  const there = [await currentBranch(git), await commitOf(git, 'HEAD')];
  if (there[0] === targetBranch && there[1] === commit) return state;
  await moveTarget(context, { onto: commit, checkOut: () => checkOut(git, commit) });
  // Files that are in the checkout now were not left by an earlier gate.
  const { foundBeforeGate: _before, ...moved } = state;
  return moved;
}

/** Removes a merge that does not land: sets the local target branch to origin's tip as it was last fetched. */
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
  /** The commit of a merge that is dropped, which may be lost. */
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
