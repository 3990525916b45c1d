import { contentNotice } from '../reviews/landed-content';
import { printableLine } from '../terminal/printable';
import type { Submitted } from './submit';

const PUSHES: Readonly<Record<Submitted['pushed'], string>> = {
  created: 'is pushed to origin, as a new branch',
  updated: 'is pushed to origin',
  unchanged: 'was on origin already',
};

/** Says what was done, one step a line. */
export function submissionText({ review, commitId, pushed, created, build }: Submitted): string {
  const { name, reviewId, status, sourceBranch, targetBranch } = review;
  const recorded = build
    ? `The build ${build.version ?? ''} of it is recorded.`
    : 'Nothing is recorded: the review does not wait for a build.';
  return [
    `${sourceBranch} ${PUSHES[pushed]}: ${commitId}`,
    `"${name}" ${created ? 'is created' : 'was there'}: ${reviewId}, onto ${targetBranch}`,
    recorded,
    contentNotice(review) ?? `It is ${status}.`,
  ]
    .map(printableLine)
    .join('\n');
}
