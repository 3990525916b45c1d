import { advanceMergeQueue, getReview, type Review } from '@plat/api-client';
import { apiFailure } from '../session/api-failure';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';

/** Where a drive goes on: with the review that it was at, or with another. */
export interface NextReview {
  state: DriveState;
  /** The review's status as it was just read. */
  status: Review['status'];
}

/** The review that an earlier run was at, else the holder of the slot, else the head of the queue. */
export async function nextReview(context: DriveContext): Promise<NextReview | undefined> {
  const { platform, stateFile } = context;
  const { apiUrl } = platform.alias;
  const state = await stateFile.read();
  if (state?.apiUrl === apiUrl) {
    const review = await getReview(platform.api, { reviewId: state.review.reviewId });
    return { state, status: review.status };
  }
  const review = await slotHolder(context);
  if (!review) return undefined;
  const { reviewId, name, sourceBranch, status } = review;
  const begun: DriveState = { apiUrl, review: { reviewId, name, sourceBranch } };
  await stateFile.write(begun);
  return { state: begun, status };
}

/** @returns undefined when nobody waits. @throws ApiFault unresolved_threads */
async function slotHolder({ platform, repository, targetBranch }: DriveContext): Promise<Review | undefined> {
  try {
    return await advanceMergeQueue(platform.api, { body: { repository, targetBranch } });
  } catch (error) {
    const refusal = apiFailure(error);
    if (refusal?.code === 'EMPTY_QUEUE') return undefined;
    const holder = refusal?.code === 'MERGE_QUEUE_OCCUPIED' ? refusal.details?.reviewId : undefined;
    if (typeof holder !== 'string') throw error;
    return getReview(platform.api, { reviewId: holder });
  }
}
