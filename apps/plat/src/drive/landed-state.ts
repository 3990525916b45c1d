import { type Build, listReviewBuilds } from '@plat/api-client';
import { commitOf } from '../gate/checkout';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';
import { isOn, targetTip } from './target-tip';

/**
 * The state of a review whose gated merge is on the target without a report, so that only the report is left to do.
 *
 * @returns undefined if the review has no green GATE build
 */
export async function findLandedState(
  context: DriveContext,
  state: DriveState,
): Promise<DriveState | undefined> {
  const landed = await findLandedBuild(context, state);
  if (!landed) return undefined;
  const { buildId, commitId } = landed;
  context.note(`"${state.review.name}" has landed as ${commitId} and was not reported: it is reported.`);
  const merge = { targetCommit: commitId, mergeCommit: commitId };
  return { ...state, merge, verdict: { successful: true }, buildId, pushed: true };
}

/** The newest green GATE build of the review whose merge is on the target. */
async function findLandedBuild(context: DriveContext, { review }: DriveState): Promise<Build | undefined> {
  const builds = await listReviewBuilds(context.platform.api, { reviewId: review.reviewId });
  const green = builds.filter(({ kind, successful }) => kind === 'GATE' && successful);
  if (green.length === 0) return undefined;
  const tip = await targetTip(context);
  for (const build of green) {
    const isKnown = (await commitOf(context.git, build.commitId)) !== undefined;
    if (isKnown && (await isOn(context, build.commitId, tip))) return build;
  }
  return undefined;
}
