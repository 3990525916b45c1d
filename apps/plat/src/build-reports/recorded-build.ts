import { type ApiClient, type Build, getReview, listMergeQueue, type Review } from '@plat/api-client';
import { commitOf, openCheckout } from '../checkout/checkout';
import { noteGated } from '../checkout/own-merge';
import { apiFailure } from '../failures/api-failure';
import type { Progress } from '../terminal/progress';
import { type BuildInput, type BuildReport, buildReport } from './build-report';
import { findBuiltCommit } from './built-commit';
import { noCheckout, requirePassedGate } from './passed-gate';
import { sendBuild } from './send-build';

/** A recorded build, and the review's status after it. */
export interface RecordedBuild extends Build {
  /** Absent if the platform did not answer afterwards. */
  reviewStatus?: Review['status'];
  /** For a READY review; 1 is the next one. */
  queuePosition?: number;
  /** Number of reviews that wait in its queue. */
  queueLength?: number;
}

export interface BuildToRecord extends Omit<BuildInput, 'commitId'> {
  reviewId: string;
  /** Undefined: the checked-out one, if the build can be of it. */
  commitId: string | undefined;
  /** The folder of the checkout. */
  folder: string;
  note(line: string): void;
  progress: Progress;
}

/** The report of a build. Writes nothing. @throws Failure of `buildReport`, `builtCommit` and `requirePassedGate` */
export async function reportOf(api: ApiClient, build: BuildToRecord): Promise<BuildReport> {
  const { reviewId, gate, failed, folder, vouch = false } = build;
  // Invalid input is refused before any request.
  const named = buildReport({ ...build, commitId: build.commitId ?? '0'.repeat(40) });
  const isPassed = gate && !failed;
  if (build.commitId !== undefined && !isPassed) return named;
  const git = build.commitId === undefined ? await openCheckout(folder) : undefined;
  const review = await getReview(api, { reviewId });
  const commitId = git ? await findBuiltCommit(git, { review, gate, failed }) : named.commitId;
  if (!isPassed) return { ...named, commitId };
  const { vouched } = await requirePassedGate(api, { review, commitId, folder, vouch });
  return vouched ? { ...named, commitId, vouched } : { ...named, commitId };
}

/** Records a build of a review, and records a passed gate for `plat exec push`. */
export async function recordBuild(api: ApiClient, build: BuildToRecord): Promise<RecordedBuild> {
  const { reviewId, gate, failed, folder, progress } = build;
  const body = await reportOf(api, build);
  const recorded = await progress('Recording the build', sendBuild(api, { reviewId, body }));
  const review = await reviewAfter(api, build);
  if (!review) return recorded;
  // Not the commit of the answer: the platform does not decide on what a push may push.
  if (gate && !failed) await noteIfHere(folder, review.targetBranch, body.commitId);
  return { ...recorded, reviewStatus: review.status, ...(await placeInLine(api, review)) };
}

/** The review after the build. If it cannot be read, the build is recorded all the same. */
async function reviewAfter(api: ApiClient, { reviewId, note }: BuildToRecord): Promise<Review | undefined> {
  try {
    return await getReview(api, { reviewId });
  } catch (error) {
    const failure = apiFailure(error);
    if (!failure) throw error;
    note(`The build is recorded, but the status of its review is unknown: ${failure.message}`);
    return undefined;
  }
}

/** Records the passed gate in the folder's checkout, if there is one with that commit. */
async function noteIfHere(folder: string, targetBranch: string, commitId: string): Promise<void> {
  const git = await openCheckout(folder).catch(noCheckout);
  if (git && (await commitOf(git, commitId)) === commitId) await noteGated(git, targetBranch, commitId);
}

/** The position of a review that waits in its queue; empty for any other. */
async function placeInLine(
  api: ApiClient,
  { reviewId, status, repository, targetBranch }: Review,
): Promise<Pick<RecordedBuild, 'queuePosition' | 'queueLength'>> {
  if (status !== 'READY') return {};
  const waiting = await listMergeQueue(api, { query: { repository, targetBranch } });
  const at = waiting.findIndex((one) => one.reviewId === reviewId);
  return at < 0 ? {} : { queuePosition: at + 1, queueLength: waiting.length };
}
