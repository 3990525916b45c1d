import { createReviewBuild, getReview, listReviewBuilds, updateReviewStatus } from '@plat/api-client';
import { fetchBranch, gateRef } from '../gate/gate-refs';
import { commitOf } from '../gate/checkout';
import { push } from '../gate/push';
import { buildReport } from '../reviews/build-report';
import { Failure } from '../terminal/failure';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';

/** Records the GATE build, once: one that an earlier run recorded before it was killed is found again. */
export async function recordStep(context: DriveContext, state: DriveState): Promise<DriveState> {
  if (state.buildId !== undefined || !state.verdict || !state.merge) return state;
  const { api } = context.platform;
  const { reviewId } = state.review;
  const { successful, detail } = state.verdict;
  const commitId = state.merge.mergeCommit ?? state.merge.sourceCommit ?? state.merge.targetCommit;
  const { buildsBefore } = state;
  const builds = await listReviewBuilds(api, { reviewId });
  // A review that failed before may have a build of the same commit: only a new one is this drive's.
  const told =
    buildsBefore &&
    builds.find((build) => build.commitId === commitId && !buildsBefore.includes(build.buildId));
  if (told) return { ...state, buildId: told.buildId };
  const attempt = { ...state, buildsBefore: builds.map(({ buildId }) => buildId) };
  await context.stateFile.write(attempt);
  const body = buildReport({ gate: true, failed: !successful, failureDetail: detail, commitId });
  const { buildId } = await createReviewBuild(api, { reviewId, body });
  return { ...attempt, buildId };
}

/** Whether the review still holds the slot: nothing else may be pushed. */
export async function holdsSlot({ platform }: DriveContext, { review }: DriveState): Promise<boolean> {
  return (await getReview(platform.api, { reviewId: review.reviewId })).status === 'MERGE';
}

/**
 * Pushes the merge.
 *
 * @returns undefined when the target has moved since the merge was made: it must be gated anew
 * @throws Failure PUSH_REJECTED for any other reason
 */
export async function pushStep(context: DriveContext, state: DriveState): Promise<DriveState | undefined> {
  if (state.pushed) return state;
  const { git, targetBranch, note, progress } = context;
  try {
    const { remoteMessages } = await progress(`Pushing ${targetBranch}`, push(git, targetBranch));
    for (const line of remoteMessages) note(`remote: ${line}`);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'PUSH_REJECTED') throw error;
    const landed = await hasMoved(context, state);
    if (landed === undefined) throw error;
    if (!landed) return undefined;
  }
  return { ...state, pushed: true };
}

/** Undefined: origin's target stands where it stood. Else whether what is there contains the merge. */
async function hasMoved(
  { git, targetBranch }: DriveContext,
  { merge }: DriveState,
): Promise<boolean | undefined> {
  await fetchBranch(git, targetBranch);
  const tip = await commitOf(git, gateRef(targetBranch));
  if (tip === merge?.targetCommit) return undefined;
  const { code } = await git.try([
    'merge-base',
    '--is-ancestor',
    merge?.mergeCommit ?? '',
    gateRef(targetBranch),
  ]);
  return code === 0;
}

/** Reports the merge; the service judges it against the repository. @throws ApiFault MERGE_NOT_VERIFIED */
export async function reportStep(context: DriveContext, { review, buildId }: DriveState): Promise<void> {
  const { platform, remoteUrl, progress } = context;
  const body = { status: 'MERGED', buildId, remoteUrl } as const;
  const reported = updateReviewStatus(platform.api, { reviewId: review.reviewId, body });
  await progress('Reporting the merge', reported);
}
