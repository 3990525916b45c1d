import { requireSoundMerge } from '../before-push/judge-merge';
import { commitOf, currentBranch } from '../checkout/checkout';
import { requireHeadKept } from '../checkout/local-commits';
import { CHECKED_OUT_REF } from '../checkout/own-merge';
import { gateMerge, type SkippedSource } from '../gate/gate-merge';
import { skipDetail } from '../gate/gate-merge-view';
import { findBranchFault } from '../git/branches';
import type { Git } from '../git/git';
import { type ChangedSource, findChangedSource, type SourceTip } from '../origin/source-tips';
import { gateRef } from '../push/gate-refs';
import { Failure } from '../terminal/failure';
import { renewWorktree } from '../worktree/renew-worktree';
import type { DriveContext } from './drive-context';
import type { Store } from './drive-loop';
import type { DriveState } from './drive-state';
import { decideGateRun } from './gate-runs';
import { findLandedState } from './landed-state';
import { checkOutInDrive, withFilesSetAside } from './set-aside';
import { withSlotKept } from './slot-kept';
import { fetchTargetTip, isOn } from './target-tip';
import { tidyWorktree, withWorktreeGivenUp } from './tidy-worktree';
import { findUndoneWork } from './undone-work';
import { isWorktreeFault } from './worktree-fault';

/** Makes the review's prospective merge and checks it out. A merge that cannot be made is a failed gate. */
export async function mergeStep(context: DriveContext, state: DriveState, store: Store): Promise<DriveState> {
  const { git, note } = context;
  try {
    return await tidyAndMerge(context, state, store).catch(async (error: unknown) => {
      if (!isWorktreeFault(error)) throw error;
      // Files of gates that can be neither overwritten nor moved would keep every review from being merged. What can be kept is.
      await tidyWorktree(context).catch(() => undefined);
      await renewWorktree(git, note);
      return tidyAndMerge(context, state, store);
    });
  } catch (error) {
    throw withWorktreeGivenUp(git, error);
  }
}

async function tidyAndMerge(context: DriveContext, state: DriveState, store: Store): Promise<DriveState> {
  await tidyWorktree(context);
  const isKnown = state.merge && (await checkOutMerge(context, state.merge));
  if (!isKnown) return makeMerge(context, withoutMerge(state), store);
  const { targetCommit, sourceCommit, mergeCommit } = state.merge ?? {};
  // The drive that made it may have run without the refusal.
  if (!context.refuseUndone || state.verdict || !targetCommit || !sourceCommit || !mergeCommit) return state;
  const merge = { targetCommit, sourceCommit, mergeCommit };
  return withVerdict(state, merge, await findUndoneWork(context, { review: state.review, ...merge }));
}

/** The review with its merge, or with the verdict on it if there is a reason why it fails. */
function withVerdict(
  state: DriveState,
  merge: { targetCommit: string; sourceCommit: string; mergeCommit: string },
  detail: string | undefined,
): DriveState {
  if (detail === undefined) return { ...state, merge };
  const { targetCommit, sourceCommit } = merge;
  const verdict = { successful: false, failingStep: 'merge', detail };
  return { ...state, merge: { targetCommit, sourceCommit }, verdict };
}

async function makeMerge(context: DriveContext, state: DriveState, store: Store): Promise<DriveState> {
  const { git, targetBranch, progress } = context;
  await checkOutTarget(context);
  const { sourceBranch, name } = state.review;
  const fault = findBranchFault(sourceBranch, targetBranch);
  if (fault !== undefined) {
    const merge = { targetCommit: await fetchTargetTip(context, state) };
    return { ...state, merge, verdict: { successful: false, failingStep: 'merge', detail: fault } };
  }
  await store({ ...state, merging: true });
  const messages = () => Promise.resolve(new Map([[sourceBranch, name]]));
  const input = { sources: [sourceBranch], targetBranch, messages, onNoBranch: true };
  const merging = withFilesSetAside(context, () => gateMerge(git, input, progress));
  const gate = await merging.catch(async (error: unknown) => {
    // The checkout is restored, so later changes in it are a person's.
    await store(state);
    throw error;
  });
  await noteHead(git);
  const [merged] = gate.merged;
  const { targetCommit } = gate;
  if (merged) {
    const merge = { targetCommit, sourceCommit: merged.sourceCommit, mergeCommit: merged.commitId };
    const detail =
      (await findUnsoundness(context, { ...state, merge })) ??
      (await findUndoneWork(context, { review: state.review, ...merge }));
    return withVerdict(state, merge, detail);
  }
  const [skipped] = gate.skipped;
  // The source may add nothing because another drive has pushed its merge.
  const landing = skipped?.reason === 'empty' ? await findLandedState(context, state) : undefined;
  if (landing) return landing;
  const merge = { targetCommit, sourceCommit: skipped?.sourceCommit };
  return { ...state, merge, verdict: cannotMerge(sourceBranch, skipped) };
}

/**
 * Why the service would refuse a merge by its content; any other verdict than EXACT is noted. The commits are fixed, so the push
 * does not ask again: there a source that has git merge wrongly would hold the queue, because it comes again if it is put back.
 */
async function findUnsoundness(context: DriveContext, state: DriveState): Promise<string | undefined> {
  const { git, targetBranch } = context;
  const { targetCommit: onto, mergeCommit: commitId = '' } = state.merge ?? {};
  const input = { targetBranch, commitId, onto, sources: mergedSources(state) };
  try {
    await requireSoundMerge(git, input, context);
    return undefined;
  } catch (error) {
    if (error instanceof Failure && error.code === 'CONTENT_DIVERGES') return error.message;
    throw error;
  }
}

/**
 * Checks out the target, as it was last fetched. What the last merge ignored and the target does not is put away, so that
 * no source can leave a file that keeps others from being merged.
 */
async function checkOutTarget(context: DriveContext): Promise<void> {
  const { git, targetBranch } = context;
  const tip = await commitOf(git, gateRef(targetBranch));
  if (tip === undefined) return;
  await leaveHead(git, tip);
  await checkOutInDrive(context, tip);
  await noteHead(git);
  await tidyWorktree(context);
}

/** Refuses to leave a commit of the worktree that no ref holds and that no drive made. @throws Failure LOCAL_COMMITS */
async function leaveHead(git: Git, onto: string): Promise<void> {
  const head = await commitOf(git, 'HEAD');
  if ((await currentBranch(git)) === undefined) await requireHeadKept(git, head, [onto]);
}

/**
 * Drops the merge of an earlier run if the target has moved since, and ends its gate run. A gate on the old target would be
 * in vain, and a failure that the target causes would remain after the target is repaired.
 *
 * @throws Failure NO_SUCH_TARGET
 */
export async function dropOutdatedMerge(context: DriveContext, state: DriveState): Promise<DriveState> {
  const { merge, verdict, gateRunId } = state;
  if (!merge || state.pushed || verdict?.successful === false) return state;
  const tip = await fetchTargetTip(context, state);
  if (tip === merge.targetCommit) return state;
  if (merge.mergeCommit !== undefined && (await isOn(context, merge.mergeCommit, tip))) {
    return verdict ? { ...state, pushed: true } : state;
  }
  context.note(`${context.targetBranch} has moved since the merge was made: it is made again.`);
  if (gateRunId !== undefined && !verdict) {
    await decideGateRun(context, gateRunId, { verdict: 'INCONCLUSIVE' });
  }
  return withoutMerge(state);
}

/**
 * The source, if it is no longer at the tip that was merged and the merge has not been pushed.
 *
 * @throws Failure GIT_FAILED if origin does not answer
 */
export async function readSourceAgain(
  context: DriveContext,
  state: DriveState,
): Promise<ChangedSource | undefined> {
  const sources = state.pushed ? [] : mergedSources(state);
  if (sources.length === 0) return undefined;
  const reading = findChangedSource(context.git, sources);
  return context.progress(`Reading ${state.review.sourceBranch} again`, reading).catch((error: unknown) => {
    throw withSlotKept(context, state, error);
  });
}

/** The source of the review's merge; empty if origin lacked it, or if another drive made the merge. */
export function mergedSources({ review: { sourceBranch }, merge }: DriveState): SourceTip[] {
  const { sourceCommit } = merge ?? {};
  return sourceCommit === undefined ? [] : [{ sourceBranch, sourceCommit }];
}

/** The state of the review when it was taken. */
export function withoutMerge({ apiUrl, review, takenAt }: DriveState): DriveState {
  return { apiUrl, review, takenAt };
}

function cannotMerge(sourceBranch: string, skipped: SkippedSource | undefined): DriveState['verdict'] {
  const why = skipped ? skipDetail(skipped) : 'it was skipped';
  return { successful: false, failingStep: 'merge', detail: `${sourceBranch} cannot be merged: ${why}.` };
}

/**
 * Checks out an earlier run's merge unchanged, because a new merge would be another commit.
 *
 * @returns false if there is nothing to go on with: git has removed the merge together with the worktree of then
 */
async function checkOutMerge(
  context: DriveContext,
  { mergeCommit }: NonNullable<DriveState['merge']>,
): Promise<boolean> {
  const { git } = context;
  if (mergeCommit === undefined) return true;
  if ((await commitOf(git, mergeCommit)) === undefined) return false;
  const [branch, head] = [await currentBranch(git), await commitOf(git, 'HEAD')];
  if (branch === undefined && head === mergeCommit) return true;
  await leaveHead(git, mergeCommit);
  await checkOutInDrive(context, mergeCommit);
  await noteHead(git);
  return true;
}

/** Notes that the drive itself, and no person, put HEAD where it is. */
async function noteHead(git: Git): Promise<void> {
  await git.run(['update-ref', CHECKED_OUT_REF, 'HEAD']);
}
