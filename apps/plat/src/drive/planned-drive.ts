import { listMergeQueue, listReviews, type Review } from '@plat/api-client';
import { openCheckout, repositoryOfCheckout } from '../checkout/checkout';
import { closingCalls } from '../forge/close-pull-request';
import type { ForgeInput } from '../forge/forge';
import { findForge } from '../forge/known-forge';
import { openPullRequest } from '../forge/pull-request';
import { plannedGateMerge } from '../gate/gate-merge';
import { type CheckpointRecording, plannedRecording } from '../landings/record-checkpoint';
import type { Platform } from '../platform/platform';
import { plannedPush } from '../push/push';
import { chooseFolder, isWorktree, plannedWorktree } from '../worktree/drive-worktree';
import type { Gate } from './gate';

export interface DriveToPlan {
  platform: Platform;
  targetBranch: string;
  gate: Gate;
  forgeUrl?: string;
  recording?: CheckpointRecording | undefined;
  folder: string;
  configFolder: string;
}

/** The steps for the next review, as `--dry-run` prints them; empty if no review waits. Rule G2. */
export async function planDrive({
  platform,
  targetBranch,
  gate,
  forgeUrl,
  recording,
  folder,
  configFolder,
}: DriveToPlan): Promise<string[]> {
  const git = await openCheckout(folder);
  const repository = await repositoryOfCheckout(git);
  const review = await nextInLine(platform, repository, targetBranch);
  if (!review) return [];
  const path = { review_id: review.reviewId };
  const worktree = await chooseFolder(git, configFolder);
  return [
    ...((await isWorktree(git, worktree)) ? [] : [plannedWorktree(worktree)]),
    ...(review.status === 'MERGE' ? [] : [platform.plannedCall('advanceMergeQueue')]),
    ...plannedGateMerge({ sources: [review.sourceBranch], targetBranch, onNoBranch: true }),
    platform.plannedCall('createGateRun'),
    await gate.plan(git, targetBranch),
    platform.plannedCall('updateGateRun', { gate_run_id: '<gate_run_id>' }),
    platform.plannedCall('createReviewBuild', path),
    ...plannedPush({ targetBranch, commitId: '<merge commit>' }),
    platform.plannedCall('updateReviewStatus', path),
    ...(await planClose(review, { repository, apiUrl: forgeUrl })),
    ...(recording ? plannedRecording(platform) : []),
  ];
}

async function planClose({ sourceBranch, targetBranch }: Review, input: ForgeInput): Promise<string[]> {
  const forge = await findForge(input);
  if (typeof forge === 'string') return [];
  const pullRequest = await openPullRequest(forge, { sourceBranch, targetBranch });
  return pullRequest ? closingCalls(forge, pullRequest) : [];
}

async function nextInLine(
  { api }: Platform,
  repository: string,
  targetBranch: string,
): Promise<Review | undefined> {
  const query = { repository, targetBranch };
  const [holder] = await listReviews(api, { query: { ...query, status: 'MERGE' } });
  return holder ?? (await listMergeQueue(api, { query }))[0];
}
