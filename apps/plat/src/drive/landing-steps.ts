import { type Build, getReview, listReviewBuilds } from '@plat/api-client';
import { buildReport } from '../build-reports/build-report';
import { sendBuild } from '../build-reports/send-build';
import { apiFailure } from '../failures/api-failure';
import { fetchTip } from '../push/gate-refs';
import { push } from '../push/push';
import { reportMerged } from '../reviews/report-merged';
import { Failure } from '../terminal/failure';
import { nextStep } from '../terminal/next-step';
import { giveUpCommand } from './drive-command';
import type { DriveContext } from './drive-context';
import type { Store } from './drive-loop';
import type { DriveState } from './drive-state';
import { mergedSources } from './merge-step';
import { fetchTargetTip, isOn } from './target-tip';

/** Records the GATE build once. If an earlier run recorded it before it was killed, that build is found. */
export async function recordStep(
  context: DriveContext,
  state: DriveState,
  store: Store,
): Promise<DriveState> {
  if (state.buildId !== undefined || !state.verdict || !state.merge) return state;
  const { api } = context.platform;
  const { reviewId } = state.review;
  const { successful, detail } = state.verdict;
  const commitId = state.merge.mergeCommit ?? state.merge.sourceCommit ?? state.merge.targetCommit;
  const { buildsBefore } = state;
  const builds = await listReviewBuilds(api, { reviewId });
  // A review that failed before may have a build of the same commit, so only a new one can be this drive's. Others may
  // record builds meanwhile, of another kind or with another outcome.
  const reportsVerdict = (build: Build) =>
    build.kind === 'GATE' && build.successful === successful && build.commitId === commitId;
  const made =
    buildsBefore && builds.find((build) => reportsVerdict(build) && !buildsBefore.includes(build.buildId));
  if (made) return { ...state, buildId: made.buildId };
  const attempt = { ...state, buildsBefore: builds.map(({ buildId }) => buildId) };
  await store(attempt);
  const body = buildReport({ gate: true, failed: !successful, failureDetail: detail, commitId });
  const { buildId } = await sendBuild(api, { reviewId, body });
  return { ...attempt, buildId };
}

/** Whether the review still holds the slot. Otherwise nothing may be pushed. */
export async function holdsSlot({ platform }: DriveContext, { review }: DriveState): Promise<boolean> {
  return (await getReview(platform.api, { reviewId: review.reviewId })).status === 'MERGE';
}

/**
 * Pushes the gated commit by its hash, without any other commit of the local branch.
 *
 * @returns undefined if the target moved while the merge was gated
 * @throws Failure PUSH_REJECTED, NO_SUCH_TARGET; SOURCE_MOVED or SOURCE_DELETED if the source changed meanwhile
 */
export async function pushStep(context: DriveContext, state: DriveState): Promise<DriveState | undefined> {
  const { merge } = state;
  if (state.pushed || merge?.mergeCommit === undefined) return state;
  const { git, targetBranch, note, progress } = context;
  // A plain push would create a branch again that was deleted meanwhile.
  if ((await readPlace(context, state)) === 'moved') return undefined;
  try {
    const { mergeCommit: commitId, targetCommit: onto } = merge;
    const pushed = push(git, { targetBranch, commitId, onto, sources: mergedSources(state) }, note);
    const { remoteMessages } = await progress(`Pushing ${targetBranch}`, pushed);
    for (const line of remoteMessages) note(`remote: ${line}`);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'PUSH_REJECTED') throw error;
    const place = await readPlace(context, state);
    if (place === 'waiting') throw error;
    if (place === 'moved') return undefined;
  }
  return { ...state, pushed: true };
}

/** Fetches the target, and says whether it is at the merge's base, has the merge, or has moved elsewhere. */
async function readPlace(context: DriveContext, state: DriveState): Promise<'waiting' | 'landed' | 'moved'> {
  const { targetCommit, mergeCommit } = state.merge ?? {};
  const tip = await fetchTargetTip(context, state);
  if (tip === targetCommit) return 'waiting';
  return mergeCommit !== undefined && (await isOn(context, mergeCommit, tip)) ? 'landed' : 'moved';
}

/**
 * Reports the merge, which the service checks against the repository.
 *
 * @throws ApiFault MERGE_NOT_VERIFIED; Failure ANSWER_CONTRADICTS, LANDING_LOST if the target does not have the merge any more
 */
export async function reportStep(context: DriveContext, state: DriveState): Promise<void> {
  const { platform, remoteUrl, progress } = context;
  const { review, buildId } = state;
  const reported = reportMerged(platform.api, { reviewId: review.reviewId, buildId, remoteUrl });
  try {
    await progress('Reporting the merge', reported);
  } catch (error) {
    if (apiFailure(error)?.code === 'MERGE_NOT_VERIFIED' && !(await isOnTarget(context, state))) {
      throw landingLost(context, state);
    }
    throw error;
  }
}

/** Whether origin's target has the merge that was pushed. */
export async function isOnTarget(context: DriveContext, { merge }: DriveState): Promise<boolean> {
  const tip = await fetchTip(context.git, context.targetBranch);
  return tip !== undefined && merge?.mergeCommit !== undefined && isOn(context, merge.mergeCommit, tip);
}

function landingLost({ targetBranch }: DriveContext, { review, merge }: DriveState): Failure {
  const { mergeCommit = '' } = merge ?? {};
  return new Failure(
    'LANDING_LOST',
    `The merge ${mergeCommit} of "${review.name}" was pushed, but ${targetBranch} of origin does not have it any more.`,
    {
      details: { reviewId: review.reviewId, targetBranch, mergeCommit },
      next: nextStep(
        'put the review back:',
        giveUpCommand({ targetBranch }),
        '; or, if no one set the branch back on purpose: plat exec push --target-branch',
        [targetBranch],
        '--commit-id',
        [mergeCommit],
        ', and repeat the command',
      ),
    },
  );
}
