import { BRANCH_LENGTH_MAX, RELEASE_STATUSES, type ReleaseStatus } from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';

/** A release as every route answers it. Spec: API, Release. */
export class Release {
  @Field(rules.id, { description: 'Assigned by the service' })
  releaseId!: string;

  @Field(rules.id, { description: 'The tenant that the release belongs to' })
  tenantId!: string;

  @Field(rules.id, {
    description: 'The review whose merge it releases; absent when triggered directly',
    optional: true,
  })
  reviewId?: string;

  @Field(rules.branch, { description: 'The branch that was merged onto', example: 'main' })
  targetBranch!: string;

  @Field(rules.commitId, { description: 'The merge commit; one release per tenant and commit' })
  commitId!: string;

  @Field(rules.oneOf(RELEASE_STATUSES), { description: 'Where the release stands' })
  status!: ReleaseStatus;

  @Field(rules.integer, { description: 'Raised each time a failed release is queued again', example: 1 })
  attempt!: number;

  @Field(rules.version, { description: 'Only on released', optional: true })
  version?: string;

  @Field(rules.id, { description: 'The build recorded for this release', optional: true })
  buildId?: string;

  @Field(rules.reason, { description: "Only on failed: the release's own output", optional: true })
  failureReason?: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  createdAt!: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  updatedAt!: string;
}

/** Body of POST /v1/releases. */
export class CreateRelease {
  @Field(rules.id, { description: 'The review whose merge is released', optional: true })
  reviewId?: string;

  @Field(rules.branch, { description: 'The branch that was merged onto', example: 'main' })
  targetBranch!: string;

  @Field(rules.commitId, { description: 'The merge commit' })
  commitId!: string;
}

/** Filters of GET /v1/releases; all that are given must hold. */
export class ReleaseFilters {
  @Field(rules.filterText(BRANCH_LENGTH_MAX), { description: 'Target branch', optional: true })
  targetBranch?: string;

  @Field(rules.id, { description: 'Review', optional: true })
  reviewId?: string;

  @Field(rules.oneOf(RELEASE_STATUSES), { description: 'Status', optional: true })
  status?: ReleaseStatus;
}
