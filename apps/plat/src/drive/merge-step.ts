import { commitOf, currentBranch, requireCleanTree } from '../gate/checkout';
import { gateMerge, type SkippedSource } from '../gate/gate-merge';
import { skipDetail } from '../gate/gate-merge-view';
import { gateRef } from '../gate/gate-refs';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';

/** The prospective merge of the review, checked out; a merge that cannot be made is a failed gate. */
export async function mergeStep(context: DriveContext, state: DriveState): Promise<DriveState> {
  const { git, targetBranch, progress, note } = context;
  if (state.merging && !state.merge) {
    note('An earlier drive was killed in its merge: the checkout is reset.');
    await git.run(['reset', '--quiet', '--hard']);
  }
  await requireCleanTree(git);
  if (state.merge) {
    await checkOutMerge(context, state);
    return state;
  }
  const { sourceBranch, name } = state.review;
  await context.stateFile.write({ ...state, merging: true });
  const messages = () => Promise.resolve(new Map([[sourceBranch, name]]));
  const gate = await gateMerge(git, { sources: [sourceBranch], targetBranch, messages }, progress);
  const [merged] = gate.merged;
  const { targetCommit } = gate;
  if (merged) {
    const merge = { targetCommit, sourceCommit: merged.sourceCommit, mergeCommit: merged.commitId };
    return { ...state, merge };
  }
  const [skipped] = gate.skipped;
  const merge = { targetCommit, sourceCommit: skipped?.sourceCommit };
  return { ...state, merge, verdict: cannotMerge(sourceBranch, skipped) };
}

function cannotMerge(sourceBranch: string, skipped: SkippedSource | undefined): DriveState['verdict'] {
  const why = skipped ? skipDetail(skipped) : 'it was skipped';
  return { successful: false, failingStep: 'merge', detail: `${sourceBranch} cannot be merged: ${why}.` };
}

/** The merge that an earlier run made, as it was: made again it would be another commit. */
async function checkOutMerge({ git, targetBranch }: DriveContext, { merge }: DriveState): Promise<void> {
  const commit = merge?.mergeCommit;
  if (commit === undefined) return;
  const there = [await currentBranch(git), await commitOf(git, 'HEAD')];
  if (there[0] === targetBranch && there[1] === commit) return;
  await git.run(['checkout', '--quiet', '--no-track', '-B', targetBranch, commit]);
}

/** Leaves no failed merge behind: the local target branch stands where origin's did. */
export async function dropMerge({ git, targetBranch }: DriveContext): Promise<void> {
  await git.run(['checkout', '--quiet', '--no-track', '-B', targetBranch, gateRef(targetBranch)]);
}
