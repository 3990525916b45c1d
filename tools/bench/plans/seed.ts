import type { Client } from 'pg';
import { newId, ROUTES } from '@plat/contracts/core';
import { TEST_TENANTS, TEST_USERS } from '@plat/testing';
import { makePastPartitions } from '../past-partitions';

/** How far the rows go back. */
const MONTHS = 12;
const DAYS = MONTHS * 30;
const BUILDS_OF_REVIEW = 10;
const COMMIT = 'a'.repeat(40);
const USERS = Object.values(TEST_USERS).filter(({ tenant }) => tenant === 'acme');
const AUDITED = Object.values(ROUTES).filter((route) => !('public' in route));
/** One row in this many is a call of a tool, a build that failed, or one of an environment. */
const RARE = 50;

/** Rows to write, numbered from 1 in the order of their time. */
export interface Rows {
  /** The numbers that are written now. */
  first: number;
  step: number;
  all: number;
}

/** The rows and values that the statements are about. */
export interface Seeded {
  tenantId: string;
  userId: string;
  reviewId: string;
  /** The review's newest build, and an id for one more. */
  newestBuildId: string;
  newBuildId: string;
  environmentId: string;
  /** A path that few rows have. */
  rarePath: string;
  /** RFC 3339: the moment before which this share of the rows lies. */
  at(share: number): string;
}

/** Makes the months' partitions, and the review and the environment that the statements are about. */
export async function prepare(owner: Client): Promise<Seeded> {
  const now = Date.now();
  const { tenantId } = TEST_TENANTS.acme;
  const { userId } = TEST_USERS.alice;
  const [reviewId, newestBuildId] = [newId(), newId()];
  for (const table of ['audit.audit_events', 'builds.builds']) {
    await makePastPartitions(owner, table, DAYS);
  }
  await owner.query(
    `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, repository, target_branch, source_branch)
     VALUES ($1, $2, $3, 'Change', 'https://git.example.com/bench/app', 'main', 'feature/bench')`,
    [tenantId, reviewId, userId],
  );
  return {
    tenantId,
    userId,
    reviewId,
    newestBuildId,
    newBuildId: newId(),
    environmentId: '00000000-0000-4000-8000-0000000000e1',
    rarePath: AUDITED.at(-1)!.template,
    at: (share) => new Date(now - (1 - share) * DAYS * 24 * 3600 * 1000).toISOString(),
  };
}

/** Every user, every route, a tool now and then, evenly over a year. */
export async function seedTrail(owner: Client, { first, step, all }: Rows): Promise<void> {
  await owner.query(
    `INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
       external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, created_at)
     SELECT $1, gen_random_uuid(), 'seeded', ($2::uuid[])[1 + mixed / 1000 % array_length($2, 1)], 'subject', 'https://issuer',
            'org', CASE WHEN tool THEN 'MCP' ELSE 'API' END,
            CASE WHEN NOT tool THEN ($3::text[])[1 + mixed % array_length($3, 1)] END,
            CASE WHEN NOT tool THEN ($4::text[])[1 + mixed % array_length($4, 1)] END,
            CASE WHEN tool THEN 'review_show' END, ${timeOf('$5')}
       FROM generate_series($6::int, $5::int, $7::int) n, LATERAL (SELECT ${MIXED} AS mixed) AS m,
            LATERAL (SELECT mixed / 7 % ${RARE} = 0 AS tool) AS kind`,
    [
      TEST_TENANTS.acme.tenantId,
      USERS.map(({ userId }) => userId),
      AUDITED.map(({ method }) => method),
      AUDITED.map(({ template }) => template),
      all,
      first,
      step,
    ],
  );
}

/** Ten builds of each review, a failed one and one of an environment now and then, evenly over a year. */
export async function seedBuilds(owner: Client, { first, step, all }: Rows, seeded: Seeded): Promise<void> {
  // Writes rows of reviews that are not there. As a replica, the session fires no trigger to refuse them.
  await owner.query('SET session_replication_role = replica');
  await owner.query(
    `INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, environment_id, environment_name, kind,
       successful, commit_id, version, failure_detail, created_at)
     SELECT $1, ${idAt('moment')},
            CASE WHEN NOT rare THEN md5((n / ${BUILDS_OF_REVIEW})::text)::uuid END, CASE WHEN NOT rare THEN 'Change' END,
            CASE WHEN rare THEN $2::uuid END, CASE WHEN rare THEN 'dev' END,
            CASE WHEN gate THEN 'GATE' ELSE 'RECORDED' END, mixed % ${RARE} <> 1, '${COMMIT}',
            CASE WHEN NOT gate THEN '1.0.0' END, CASE WHEN mixed % ${RARE} = 1 THEN 'a step failed' END, moment
       FROM generate_series($4::int, $3::int, $5::int) n, LATERAL (SELECT ${MIXED} AS mixed) AS m,
            LATERAL (SELECT mixed % ${RARE} = 0 AS rare, mixed % ${RARE} = 2 AS gate, ${timeOf('$3')} AS moment) AS kind`,
    [seeded.tenantId, seeded.environmentId, all, first, step],
  );
  await owner.query('RESET session_replication_role');
}

/** The builds of the review that the statements are about. */
export async function seedReview(
  owner: Client,
  { tenantId, reviewId, newestBuildId }: Seeded,
): Promise<void> {
  const ids = [newestBuildId, ...Array.from({ length: BUILDS_OF_REVIEW - 1 }, () => newId())];
  await owner.query(
    `INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, kind, successful, commit_id, version)
     SELECT $1, id, $2, 'Change', 'RECORDED', true, '${COMMIT}', '1.0.0' FROM unnest($3::uuid[]) AS id`,
    [tenantId, reviewId, ids],
  );
}

/** A number that says nothing of a row's place, so that each kind of row is found in any part of them. */
const MIXED = '(hashint4(n) & 2147483647)';

const timeOf = (all: string): string =>
  `now() - make_interval(days => ${DAYS}) + n * (make_interval(days => ${DAYS}) / ${all}::int)`;

/** A UUIDv7 of a moment. */
const idAt = (moment: string): string =>
  `overlay(gen_random_uuid()::text PLACING left(tenancy.first_id(${moment})::text, 15) FROM 1 FOR 15)::uuid`;
