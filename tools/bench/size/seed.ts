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

/** A queue of acme's: reviews that wait, after others that were merged. */
export interface SeededQueue {
  targetBranch: string;
  ready: number;
  /** Each with three moves, a gate run that failed, and one that passed. */
  merged: number;
}

/** How many moves the log of the queue has. */
export const movesOf = ({ ready, merged }: SeededQueue): number => ready + 3 * merged;

/** Fills a queue, as if each review had become READY by a build of its own. */
export async function seedQueue(owner: Client, queue: SeededQueue): Promise<void> {
  // Writes the rows as the moves would have left them. As a replica, the session fires no trigger to refuse them.
  await owner.query('SET session_replication_role = replica');
  await seedMerged(owner, queue);
  await seedReady(owner, queue);
  await owner.query(
    `INSERT INTO reviews.queues (tenant_id, target_branch, version, last_ticket, last_merge) VALUES ($1, $2, $3, $4, $5)`,
    [
      TEST_TENANTS.acme.tenantId,
      queue.targetBranch,
      movesOf(queue),
      queue.merged + queue.ready,
      queue.merged,
    ],
  );
  await owner.query('RESET session_replication_role');
}

/** Merged reviews, evenly over the last months until yesterday. */
async function seedMerged(owner: Client, { targetBranch, merged }: SeededQueue): Promise<void> {
  const { tenantId } = TEST_TENANTS.acme;
  const { userId } = TEST_USERS.alice;
  await owner.query(
    `CREATE TEMP TABLE seeded AS
       SELECT gen_random_uuid() AS review_id, ${NEW_BUILD_ID} AS build_id, n,
              now() - interval '1 day' - (${merged} - n) * (interval '80 days' / ${merged}) AS at,
              encode(sha256((n || $1)::bytea), 'hex')::char(40)::text AS commit_id
         FROM generate_series(1, ${merged}) n`,
    [targetBranch],
  );
  await owner.query(
    `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, repository, target_branch, source_branch,
       status, last_ready_build_id, last_merged_build_id, merge_sequence, merged_commit_id)
     SELECT $1, review_id, $2, 'Merged ' || n || ' for ' || $3, $4, $3, 'merged/' || n || '-bench', 'MERGED', build_id,
            build_id, n, commit_id
       FROM seeded`,
    [tenantId, userId, targetBranch, REPOSITORY],
  );
  await owner.query(
    `INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, repository, move, ticket, cause,
       actor_user_id, build_id, nth, created_at)
     SELECT $1, $3, 3 * (n - 1) + m.place, review_id, $4, m.move, CASE WHEN m.place < 3 THEN n END, m.cause, $2,
            CASE WHEN m.place <> 2 THEN build_id END, n, at + m.place * interval '1 second'
       FROM seeded, (VALUES (1, 'ready', 'BUILD_SUCCEEDED'), (2, 'promote', 'PROMOTED'), (3, 'merge', 'MERGED'))
            AS m (place, move, cause)`,
    [tenantId, userId, targetBranch, REPOSITORY],
  );
  await owner.query(
    `INSERT INTO reviews.gate_runs (tenant_id, gate_run_id, source_branch, target_branch, source_commit, merge_commit,
       review_id, review_name, verdict, failing_step, created_at, creator_user_id)
     SELECT $1, gen_random_uuid(), 'merged/' || n || '-bench', $2, commit_id, commit_id, review_id, 'Merged ' || n, g.verdict,
            g.step, at + interval '2 seconds', $3::uuid
       FROM seeded, (VALUES ('FAILED', 'unit tests'), ('PASSED', NULL)) AS g (verdict, step)`,
    [tenantId, targetBranch, userId],
  );
  await owner.query('DROP TABLE seeded');
}

async function seedReady(owner: Client, { targetBranch, ready, merged }: SeededQueue): Promise<void> {
  const { tenantId } = TEST_TENANTS.acme;
  const { userId } = TEST_USERS.alice;
  await owner.query(
    `CREATE TEMP TABLE seeded AS
       SELECT gen_random_uuid() AS review_id, ${NEW_BUILD_ID} AS build_id, n FROM generate_series(1, ${ready}) n`,
  );
  await owner.query(
    `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, repository, target_branch, source_branch,
       status, ticket, last_ready_build_id)
     SELECT $1, review_id, $2, 'Change ' || n || ' for ' || $3, $4, $3, 'feature/' || n || '-bench', 'READY', $5::bigint + n,
            build_id
       FROM seeded`,
    [tenantId, userId, targetBranch, REPOSITORY, merged],
  );
  await owner.query(
    `INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, kind, successful, commit_id, version)
     SELECT $1, build_id, review_id, 'Change ' || n || ' for ' || $2, 'RECORDED', true, repeat('a', 40), '1.0.0'
       FROM seeded`,
    [tenantId, targetBranch],
  );
  await owner.query(
    `INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, repository, move, ticket, cause,
       actor_user_id, build_id, nth, created_at)
     SELECT $1, $2, 3 * $5::bigint + n, review_id, $3, 'ready', $5::bigint + n, 'BUILD_SUCCEEDED', $4, build_id, $5::bigint + n,
            now() - interval '1 hour' + n * (interval '1 hour' / ${ready})
       FROM seeded`,
    [tenantId, targetBranch, REPOSITORY, userId, merged],
  );
  await owner.query('DROP TABLE seeded');
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
