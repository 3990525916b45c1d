import { listMergeQueue, listReviews, type Review } from '@plat/api-client';
import { openCheckout, repositoryOfCheckout, requireCleanTree } from '../gate/checkout';
import { plannedGateMerge } from '../gate/gate-merge';
import { pushArguments } from '../gate/push';
import type { Platform } from '../session/platform';
import { shellQuote } from '../terminal/shell-quote';

export interface DriveToPlan {
  platform: Platform;
  targetBranch: string;
  gateCommand: string;
  folder: string;
}

/** The steps for the review that is next, as `--dry-run` prints them; none when nobody waits. Decision G2. */
export async function plannedDrive({
  platform,
  targetBranch,
  gateCommand,
  folder,
}: DriveToPlan): Promise<string[]> {
  const git = await openCheckout(folder);
  await requireCleanTree(git);
  const review = await nextInLine(platform, await repositoryOfCheckout(git), targetBranch);
  if (!review) return [];
  const path = { review_id: review.reviewId };
  return [
    ...(review.status === 'MERGE' ? [] : [platform.plannedCall('advanceMergeQueue')]),
    ...plannedGateMerge([review.sourceBranch], targetBranch),
    platform.plannedCall('createGateRun'),
    gateCommand,
    platform.plannedCall('updateGateRun', { gate_run_id: '<gate_run_id>' }),
    platform.plannedCall('createReviewBuild', path),
    shellQuote(['git', ...pushArguments(targetBranch)]),
    platform.plannedCall('updateReviewStatus', path),
  ];
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
