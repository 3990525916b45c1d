import { BUILD_KINDS, type BuildKind } from '@plat/contracts/core';
import { Field, rules } from '@plat/contracts/fields';

/** A build as every route answers it. Spec: API, Build. */
export class Build {
  @Field(rules.id, { description: 'Assigned by the service' })
  buildId!: string;

  @Field(rules.id, { description: 'The tenant that the build belongs to' })
  tenantId!: string;

  @Field(rules.id, {
    description: 'The review that was built; exactly one of reviewId and environmentId',
    optional: true,
  })
  reviewId?: string;

  @Field(rules.name, { description: 'Present with reviewId', optional: true })
  reviewName?: string;

  @Field(rules.id, { description: 'The environment that was built for', optional: true })
  environmentId?: string;

  @Field(rules.text(63), { description: 'Present with environmentId', optional: true })
  environmentName?: string;

  @Field(rules.oneOf(BUILD_KINDS), {
    description: 'RECORDED by a client or CI, or the GATE of the merge queue',
  })
  kind!: BuildKind;

  @Field(rules.boolean, { description: 'Whether the build succeeded' })
  successful!: boolean;

  @Field(rules.commitId, { description: 'The commit that was built' })
  commitId!: string;

  @Field(rules.version, { description: 'Present on RECORDED', optional: true, example: '1.4.0' })
  version?: string;

  @Field(rules.reason, { description: 'Why the build failed', optional: true })
  failureDetail?: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  createdAt!: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  updatedAt!: string;
}

/** Body of POST /v1/reviews/{review_id}/builds. What depends on kind is judged by the service. */
export class CreateReviewBuild {
  @Field(rules.commitId, { description: 'The commit that was built' })
  commitId!: string;

  @Field(rules.boolean, { description: 'Whether the build succeeded' })
  successful!: boolean;

  @Field(rules.oneOf(BUILD_KINDS), { description: 'RECORDED when absent', optional: true })
  kind?: BuildKind;

  @Field(rules.judgedLater(rules.version), {
    description: 'Required for RECORDED, dropped for GATE',
    optional: true,
    example: '1.4.0',
  })
  version?: unknown;

  @Field(rules.reason, { description: 'Required on a failed GATE build', optional: true })
  failureDetail?: string;

  @Field(rules.id, { description: "Must be the caller's own environment; not kept", optional: true })
  environmentId?: string;
}
