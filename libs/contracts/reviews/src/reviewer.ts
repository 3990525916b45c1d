import { Field, rules } from '@plat/contracts/fields';

/** An assignment as every route answers it. Spec: API, Reviewer. */
export class Reviewer {
  @Field(rules.id, { description: 'The tenant of review and user alike' })
  tenantId!: string;

  @Field(rules.id, { description: 'The review' })
  reviewId!: string;

  @Field(rules.id, { description: 'The user who is to review it' })
  userId!: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  createdAt!: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  updatedAt!: string;
}

/** Body of POST /v1/reviews/{review_id}/reviewers. */
export class AddReviewer {
  @Field(rules.id, { description: "A user of the review's tenant" })
  userId!: string;
}
