import {
  BRANCH_LENGTH_MAX,
  CONTENT_VERDICTS,
  type ContentVerdict,
  REPOSITORY_LENGTH_MAX,
  REVIEW_CAUSES,
  REVIEW_STATUSES,
  type ReviewCause,
  type ReviewStatus,
} from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';

/** A review as every route answers it. Spec: API, Review. */
export class Review {
  @Field(rules.id, { description: 'Assigned by the service' })
  reviewId!: string;

  @Field(rules.id, { description: 'The tenant that the review belongs to' })
  tenantId!: string;

  @Field(rules.id, { description: 'The caller that created the review' })
  authorUserId!: string;

  @Field(rules.name, { description: 'Becomes the squash-merge message', example: 'Add rate limits' })
  name!: string;

  @Field(rules.remote, {
    description: 'Canonical identity of the repository; absent when none is recorded',
    optional: true,
    example: 'https://git.example.com/acme/app',
  })
  repository?: string;

  @Field(rules.branch, { description: 'The branch to merge onto', example: 'main' })
  targetBranch!: string;

  @Field(rules.branch, { description: 'The branch to merge', example: 'feature/42-rate-limits' })
  sourceBranch!: string;

  @Field(rules.oneOf(REVIEW_STATUSES), { description: 'Where the review stands' })
  status!: ReviewStatus;

  @Field(rules.id, { description: 'The failed build that moved the review to FAILED', optional: true })
  lastFailedBuildId?: string;

  @Field(rules.id, { description: 'The successful build that moved the review to READY', optional: true })
  lastReadyBuildId?: string;

  @Field(rules.id, { description: 'The GATE build accepted with MERGED', optional: true })
  lastMergedBuildId?: string;

  @Field(rules.oneOf(CONTENT_VERDICTS), {
    description:
      'Whether the landed content is the reviewed one, as the receipt says; DIVERGENT: it is not. Present on a MERGED ' +
      'review that is read or listed',
    optional: true,
  })
  contentVerdict?: ContentVerdict;

  @Field(rules.filterText(BRANCH_LENGTH_MAX), {
    description: 'The number of the issue that the source branch names',
    optional: true,
    example: '42',
  })
  issueRef?: string;

  @Field(rules.oneOf(['INFERRED', 'DECLARED']), {
    description: 'Present exactly with issueRef',
    optional: true,
  })
  issueRefSource?: 'INFERRED' | 'DECLARED';

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  createdAt!: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  updatedAt!: string;
}

/** Body of POST /v1/reviews. */
export class CreateReview {
  @Field(rules.remote, { description: 'Remote of the repository; canonicalized', optional: true })
  repository?: string;

  @Field(rules.name, { description: 'Becomes the squash-merge message', example: 'Add rate limits' })
  name!: string;

  @Field(rules.branch, { description: 'The branch to merge', example: 'feature/42-rate-limits' })
  sourceBranch!: string;

  @Field(rules.branch, { description: 'The branch to merge onto', example: 'main' })
  targetBranch!: string;
}

/** Filters of GET /v1/reviews; all that are given must hold. */
export class ReviewFilters {
  @Field(rules.filterText(REPOSITORY_LENGTH_MAX), { description: 'Remote of the repository', optional: true })
  repository?: string;

  @Field(rules.filterText(BRANCH_LENGTH_MAX), { description: 'Target branch', optional: true })
  targetBranch?: string;

  @Field(rules.filterText(BRANCH_LENGTH_MAX), { description: 'Source branch', optional: true })
  sourceBranch?: string;

  @Field(rules.oneOf(REVIEW_STATUSES), { description: 'Status', optional: true })
  status?: ReviewStatus;

  @Field(rules.id, { description: 'Who created the review', optional: true })
  authorUserId?: string;

  @Field(rules.id, { description: 'Who is assigned to review it', optional: true })
  reviewerUserId?: string;

  @Field(rules.commitId, {
    description: 'The commit that was accepted as its merge through the queue',
    optional: true,
  })
  mergedCommitId?: string;
}

/** Body of PATCH /v1/reviews/{review_id}/status. */
export class UpdateReviewStatus {
  @Field(rules.oneOf(REVIEW_STATUSES), { description: 'The status that the review is to have' })
  status!: ReviewStatus;

  @Field(rules.id, { description: 'The build that proves it', optional: true })
  buildId?: string;

  @Field(rules.remote, { description: 'Where the merge can be read; with MERGED only', optional: true })
  remoteUrl?: string;
}

/** One move of a review. Spec: API, History. */
export class ReviewEvent {
  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  at!: string;

  @Field(rules.oneOf(REVIEW_STATUSES), { description: 'Absent with CREATED', optional: true })
  from?: ReviewStatus;

  @Field(rules.oneOf(REVIEW_STATUSES), { description: 'The status that it moved to' })
  to!: ReviewStatus;

  @Field(rules.oneOf(REVIEW_CAUSES), { description: 'Cause of the move' })
  cause!: ReviewCause;

  @Field(rules.id, { description: 'Who caused it' })
  actorUserId!: string;

  @Field(rules.filterText(255), { description: 'The name of who caused it', example: 'alice' })
  actorUsername!: string;

  @Field(rules.id, {
    description: 'The build that is the cause, or was accepted with MERGED',
    optional: true,
  })
  buildId?: string;

  @Field(rules.requiredReason, { description: 'Given with PROMOTED_BY_OVERRIDE', optional: true })
  reason?: string;

  @Field(rules.integer, {
    description: 'Its place in the line: the lower one is promoted first',
    optional: true,
  })
  ticket?: number;

  @Field(rules.integer, { description: 'The version of the queue; absent with CREATED', optional: true })
  queueVersion?: number;
}

/** A page of a review's history. */
export class ReviewHistory {
  @Field(rules.listOfShape(ReviewEvent), { description: 'Newest first' })
  events!: ReviewEvent[];

  @Field(rules.versionCursor, { description: 'Absent on the last page', optional: true })
  nextCursor?: string;
}

/** Query of GET /v1/reviews/{review_id}/history. */
export class ReviewHistoryQuery {
  @Field(rules.versionCursor, { description: 'nextCursor of the page before', optional: true })
  cursor?: string;

  @Field(rules.integerText, { description: 'Rows a page: 50 unless given, 200 at most', optional: true })
  limit?: string;
}
