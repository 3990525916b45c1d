import {
  type ApiClient,
  type Build,
  type CreateReview,
  getReview,
  listReviewBuilds,
  type Review,
} from '@plat/api-client';
import { findNotedBuild } from '../build/noted-builds';
import { buildReport } from '../build-reports/build-report';
import { sendBuild } from '../build-reports/send-build';
import type { Git } from '../git/git';
import { pushBranch, type PushedBranch } from '../push/push-branch';
import { createReview, liveReviewOf } from '../reviews/create-review';
import { Failure } from '../terminal/failure';
import type { NextStep } from '../terminal/next-step';
import type { Progress } from '../terminal/progress';

export interface Submission {
  git: Git;
  api: ApiClient;
  /** The review to create if the branch has none. */
  body: CreateReview;
  /** The tip of the branch. */
  commitId: string;
  /** The version of a build of the commit that ran elsewhere; undefined: one that ran in this checkout. */
  version: string | undefined;
  /** The command, to be repeated with another name of the review. */
  command: NextStep;
  progress: Progress;
  note(line: string): void;
}

/** The review of the branch, after the branch was pushed and its build was recorded. */
export interface Submitted {
  review: Review;
  commitId: string;
  pushed: PushedBranch['pushed'];
  created: boolean;
  /** The build that was recorded; absent if nothing had to be. */
  build?: Build;
}

/**
 * Pushes the branch, creates its review if there is none, and records the build of its tip. A step that was done before
 * is not repeated, so the command can be.
 *
 * @throws Failure PUSH_REJECTED, CONFLICT; BUILD_NEEDED if the review waits for a build and none is known
 */
export async function submit(submission: Submission): Promise<Submitted> {
  const { git, api, body, commitId, command, progress, note } = submission;
  const branch = body.sourceBranch;
  const { pushed, remoteMessages } = await progress(
    `Pushing ${branch}`,
    pushBranch(git, { branch, commitId }),
  );
  for (const line of remoteMessages) note(`remote: ${line}`);
  const live = await progress('Looking for the review', liveReviewOf(api, body));
  const review = live ?? (await progress('Creating the review', createReview(api, body, command)));
  const { reviewId } = review;
  const facts = { commitId, pushed, created: live === undefined };
  const version = await versionToRecord(submission, review);
  if (version === undefined) {
    if (waitsForBuild(review)) throw buildNeeded(review, facts);
    return { review, ...facts };
  }
  const build = await progress(
    'Recording the build',
    sendBuild(api, {
      reviewId,
      body: buildReport({ gate: false, failed: false, commitId, version }),
    }),
  );
  return { review: await getReview(api, { reviewId }), ...facts, build };
}

const waitsForBuild = ({ status }: Pick<Review, 'status'>): boolean =>
  status === 'OPEN' || status === 'FAILED';

/**
 * The version of the build that is to be recorded: the given one, the one that was built here, or for a review that
 * failed since, that of the commit's recorded build.
 *
 * @returns undefined if none is known, or the commit's build is recorded and the review does not wait for one
 */
export async function versionToRecord(
  { git, api, commitId, version }: Pick<Submission, 'git' | 'api' | 'commitId' | 'version'>,
  review: Pick<Review, 'reviewId' | 'status'> | undefined,
): Promise<string | undefined> {
  const here = version ?? (await findNotedBuild(git, commitId))?.version;
  if (!review) return here;
  const builds = await listReviewBuilds(api, { reviewId: review.reviewId });
  const recorded = builds.find(
    (build) => build.kind === 'RECORDED' && build.successful && build.commitId === commitId,
  );
  if (recorded && !waitsForBuild(review)) return undefined;
  return here ?? recorded?.version;
}

function buildNeeded(
  { reviewId, name, status }: Review,
  facts: Pick<Submitted, 'commitId' | 'pushed' | 'created'>,
): Failure {
  const { commitId } = facts;
  return new Failure(
    'BUILD_NEEDED',
    `"${name}" is at ${status}: it waits for a green build of ${commitId}, and no plat build of this commit has succeeded in this checkout without changes.`,
    {
      details: { reviewId, status, ...facts },
      next: 'plat build && plat submit; for a build that ran elsewhere: plat submit --version <version>',
    },
  );
}
