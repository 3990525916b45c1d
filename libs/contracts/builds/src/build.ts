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

  @Field(rules.boolean, {
    description:
      'true on a successful GATE build that rests on the word of who reported it: neither the checkout nor the ' +
      'platform knows a gate of the commit. Absent on any other',
    optional: true,
  })
  vouched?: boolean;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  createdAt!: string;

  @Field(rules.instant, { description: 'RFC 3339 UTC' })
  updatedAt!: string;
}

/** Body of POST /v1/reviews/{review_id}/builds. The service checks the fields that depend on kind. */
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

  @Field(rules.boolean, {
    description: 'Whether a successful GATE build rests on your word alone; refused as true on any other',
    optional: true,
  })
  vouched?: boolean;

  @Field(rules.id, { description: "Must be the caller's own environment; not kept", optional: true })
  environmentId?: string;
}

/** Body of POST /v1/builds: a build that belongs to an environment. It is always RECORDED. */
export class CreateBuild {
  @Field(rules.id, { description: "The caller's own environment that was built for" })
  environmentId!: string;

  @Field(rules.commitId, { description: 'The commit that was built' })
  commitId!: string;

  @Field(rules.boolean, { description: 'Whether the build succeeded' })
  successful!: boolean;

  @Field(rules.oneOf(['RECORDED']), { description: 'A GATE build always has a review', optional: true })
  kind?: 'RECORDED';

  @Field(rules.version, { description: 'The version that was built', example: '1.4.0' })
  version!: string;

  @Field(rules.reason, { description: 'Why the build failed', optional: true })
  failureDetail?: string;
}

/** A page of builds, newest first. */
export class BuildPage {
  @Field(rules.listOfShape(Build), { description: 'Newest first' })
  builds!: Build[];

  @Field(rules.filterText(128), { description: 'Absent on the last page', optional: true })
  nextCursor?: string;
}

/** Query of GET /v1/builds; all filters that are given must hold. */
export class BuildQuery {
  @Field(rules.id, { description: 'Environment', optional: true })
  environmentId?: string;

  @Field(rules.oneOf(BUILD_KINDS), { description: 'Kind', optional: true })
  kind?: BuildKind;

  @Field(rules.oneOf(['true', 'false']), { description: 'Outcome', optional: true })
  successful?: 'true' | 'false';

  @Field(rules.instant, { description: 'Earliest createdAt, inclusive', optional: true })
  since?: string;

  @Field(rules.instant, { description: 'Latest createdAt, inclusive', optional: true })
  until?: string;

  @Field(rules.cursor, { description: 'nextCursor of the page before', optional: true })
  cursor?: string;

  @Field(rules.integerText, { description: 'Rows a page: 50 unless given, 200 at most', optional: true })
  limit?: string;
}
