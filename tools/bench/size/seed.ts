import type { Client } from 'pg';
import { ROUTES } from '@plat/contracts/core';
import { NEW_BUILD_ID, TEST_TENANTS, TEST_USERS } from '@plat/testing';
import { makePastPartitions } from '../past-partitions';

const REPOSITORY = 'https://git.example.com/bench/app';
/** How many days the trail goes back. */
const TRAIL_DAYS = 90;
const ACME_USERS = Object.values(TEST_USERS).filter(({ tenant }) => tenant === 'acme');
const AUDITED = Object.values(ROUTES).filter((route) => !('public' in route));

/** One row in this many is a call of a tool. */
const TOOL_SHARE = 50;

/** Reviews that wait in one queue of acme's, as if each had become READY by a build of its own. */
export async function seedQueue(
  owner: Client,
  { targetBranch, ready }: { targetBranch: string; ready: number },
): Promise<void> {
  // Writes the rows as the moves would have left them. As a replica, the session fires no trigger to refuse them.
  await owner.query('SET session_replication_role = replica');
  await owner.query(
    `CREATE TEMP TABLE seeded AS
       SELECT gen_random_uuid() AS review_id, ${NEW_BUILD_ID} AS build_id, n FROM generate_series(1, ${ready}) n`,
  );
  const { tenantId } = TEST_TENANTS.acme;
  await owner.query(
    `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, repository, target_branch, source_branch)
     SELECT $1, review_id, $2, 'Change ' || n || ' for ' || $3, $4, $3, 'feature/' || n || '-bench' FROM seeded`,
    [tenantId, TEST_USERS.alice.userId, targetBranch, REPOSITORY],
  );
  await owner.query(
    `INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, kind, successful, commit_id, version)
     SELECT $1, build_id, review_id, 'Change ' || n || ' for ' || $2, 'RECORDED', true, repeat('a', 40), '1.0.0'
       FROM seeded`,
    [tenantId, targetBranch],
  );
  await owner.query(
    `INSERT INTO reviews.queues (tenant_id, target_branch, version, last_ticket) VALUES ($1, $2, $3, $3)`,
    [tenantId, targetBranch, ready],
  );
  await owner.query(
    `INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, repository, move, ticket)
     SELECT $1, $2, n, review_id, $3, 'ready', n FROM seeded`,
    [tenantId, targetBranch, REPOSITORY],
  );
  await owner.query(
    `UPDATE reviews.reviews r SET status = 'READY', ticket = n, last_ready_build_id = s.build_id
       FROM seeded s WHERE r.tenant_id = $1 AND r.review_id = s.review_id`,
    [tenantId],
  );
  await owner.query('DROP TABLE seeded; RESET session_replication_role');
}

/** OPEN reviews of globex, which has no others. */
export async function seedListed(owner: Client, reviews: number): Promise<void> {
  await owner.query(
    `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, repository, target_branch, source_branch)
     SELECT $1, gen_random_uuid(), $2, 'Change ' || n, $3, 'main', 'feature/' || n || '-bench'
       FROM generate_series(1, $4::int) n`,
    [TEST_TENANTS.globex.tenantId, TEST_USERS.mallory.userId, REPOSITORY, reviews],
  );
}

/** A trail of acme's: every user, every route, a tool now and then, evenly over the last months. */
export async function seedTrail(owner: Client, rows: number): Promise<void> {
  await makePastPartitions(owner, 'audit.audit_events', TRAIL_DAYS);
  await owner.query(
    `INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
       external_issuer_id, external_org_id, type, api_method, api_path, mcp_tool, created_at)
     SELECT $1, gen_random_uuid(), 'seeded', ($2::uuid[])[1 + n % array_length($2, 1)], 'subject', 'https://issuer',
            'org', CASE WHEN tool THEN 'MCP' ELSE 'API' END,
            CASE WHEN NOT tool THEN ($3::text[])[1 + n % array_length($3, 1)] END,
            CASE WHEN NOT tool THEN ($4::text[])[1 + n % array_length($4, 1)] END,
            CASE WHEN tool THEN 'review_show' END,
            now() - make_interval(days => ${TRAIL_DAYS}) + n * (make_interval(days => ${TRAIL_DAYS}) / $5::int)
       FROM generate_series(1, $5::int) n, LATERAL (SELECT n % ${TOOL_SHARE} = 0 AS tool) AS kind`,
    [
      TEST_TENANTS.acme.tenantId,
      ACME_USERS.map(({ userId }) => userId),
      AUDITED.map(({ method }) => method),
      AUDITED.map(({ template }) => template),
      rows,
    ],
  );
}
