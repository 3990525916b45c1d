import { type Build, listReviewBuilds } from '@plat/api-client';
import { commitOf } from '../checkout/checkout';
import { findBranchFault } from '../git/branches';
import { fetchTip } from '../push/gate-refs';
import { carries, isAncestor } from '../push/landing';
import type { DriveContext } from './drive-context';
import type { DriveState } from './drive-state';
import { fetchTargetTip, isOn } from './target-tip';

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

/** The newest green GATE build of the review whose merge is on the target, and that merged the source. */
async function findLandedBuild(context: DriveContext, { review }: DriveState): Promise<Build | undefined> {
  const builds = await listReviewBuilds(context.platform.api, { reviewId: review.reviewId });
  const green = builds.filter(({ kind, successful }) => kind === 'GATE' && successful);
  if (green.length === 0) return undefined;
  if (findBranchFault(review.sourceBranch, context.targetBranch) !== undefined) return undefined;
  const tip = await fetchTargetTip(context);
  for (const build of green) {
    const isKnown = (await commitOf(context.git, build.commitId)) !== undefined;
    if (!isKnown || !(await isOn(context, build.commitId, tip))) continue;
    if (await mayHaveMerged(context, { commitId: build.commitId, tip, ...review })) return build;
    context.note(
      `The platform names ${build.commitId} as a merge of ${review.sourceBranch}, of which it has nothing.`,
    );
  }
  return undefined;
}

/** Most commits of a source that are looked for in a merge. */
const COMMITS_MAX = 50;

/**
 * Whether a commit of the target can be a merge of the source. The platform alone says that it is one, so at least one
 * commit of the branch must have come with it. The branch may have moved since; if it is gone, or the target has all of
 * it, nothing speaks against it.
 */
async function mayHaveMerged(
  { git }: DriveContext,
  { commitId, tip, sourceBranch }: { commitId: string; tip: string; sourceBranch: string },
): Promise<boolean> {
  const source = await fetchTip(git, sourceBranch);
  if (source === undefined || (await carries(git, tip, source))) return true;
  const [before, side] = [await commitOf(git, `${commitId}^1`), await commitOf(git, `${commitId}^2`)];
  if (side !== undefined && (await isAncestor(git, side, source))) return true;
  // A commit that the branch has itself, such as the one where it parted, is no merge of it.
  const range = ['--no-merges', `--max-count=${COMMITS_MAX}`, source, `^${commitId}`, '--'];
  const listed = (await git.run(['rev-list', ...range])).split('\n').filter(Boolean);
  for (const commit of listed) {
    const isNew = before === undefined || !(await carries(git, before, commit));
    if (isNew && (await carries(git, commitId, commit))) return true;
  }
  return false;
}
