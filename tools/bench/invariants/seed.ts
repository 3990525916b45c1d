import type { Client } from 'pg';
import { NEW_BUILD_ID, TEST_TENANTS, TEST_USERS } from '@plat/testing';

const REPOSITORY = 'https://git.example.com/bench/app';
/** The share of the branch's reviews that still wait, in percent. */
const WAITING_PERCENT = 5;

/**
 * Adds a branch of acme's with one queue, in the state in which the moves of its reviews would have left it. All became
 * READY before the first was promoted, which makes the longest possible queue.
 *
 * @param superuser a connection of a superuser, who may write rows without running triggers
 */
export async function seedBranch(superuser: Client, targetBranch: string, reviews: number): Promise<void> {
  const merged = reviews - Math.floor((reviews * WAITING_PERCENT) / 100);
  await superuser.query('SET session_replication_role = replica');
  await superuser.query(
    `CREATE TEMP TABLE seeded AS
       SELECT n, n <= $1 AS merged, gen_random_uuid() AS review_id, ${NEW_BUILD_ID} AS ready_id,
              ${NEW_BUILD_ID} AS gate_id, encode(sha256(($2 || n)::bytea), 'hex')::char(40)::text AS commit_id
         FROM generate_series(1, $3::int) n`,
    [merged, targetBranch, reviews],
  );
  for (const statement of STATEMENTS) {
    await superuser.query(
      `WITH given AS (SELECT $1::uuid AS tenant, $2::uuid AS author, $3::text AS repository, $4::text AS branch,
                             $5::int AS reviews, $6::int AS merged) ${statement}`,
      [TEST_TENANTS.acme.tenantId, TEST_USERS.alice.userId, REPOSITORY, targetBranch, reviews, merged],
    );
  }
  await superuser.query('DROP TABLE seeded; RESET session_replication_role');
  await superuser.query('VACUUM ANALYZE');
}

const STATEMENTS = [
  `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, repository, target_branch, source_branch,
     status, ticket, last_ready_build_id, last_merged_build_id, merge_sequence, merged_commit_id)
   SELECT tenant, review_id, author, branch || ' ' || n, repository, branch, 'feature/' || n || '-bench',
          CASE WHEN s.merged THEN 'MERGED' ELSE 'READY' END, CASE WHEN NOT s.merged THEN n END, ready_id,
          CASE WHEN s.merged THEN gate_id END, CASE WHEN s.merged THEN n END, CASE WHEN s.merged THEN commit_id END
     FROM given, seeded s`,
  `INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, kind, successful, commit_id, version)
   SELECT tenant, ready_id, review_id, branch || ' ' || n, 'RECORDED', true, commit_id, '1.0.0' FROM given, seeded
   UNION ALL
   SELECT tenant, gate_id, review_id, branch || ' ' || n, 'GATE', true, commit_id, NULL
     FROM given, seeded s WHERE s.merged`,
  `INSERT INTO reviews.queues (tenant_id, target_branch, version, last_ticket, last_merge)
   SELECT tenant, branch, reviews + 2 * merged, reviews, merged FROM given`,
  `INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, repository, move, ticket, cause,
     actor_user_id, build_id, nth)
   SELECT tenant, branch, n, review_id, repository, 'ready', n, 'BUILD_SUCCEEDED', author, ready_id, n FROM given, seeded
   UNION ALL
   SELECT tenant, branch, reviews + 2 * n - 1, review_id, repository, 'promote', n, 'PROMOTED', author, NULL, n
     FROM given, seeded s WHERE s.merged
   UNION ALL
   SELECT tenant, branch, reviews + 2 * n, review_id, repository, 'merge', NULL, 'MERGED', author, gate_id, n
     FROM given, seeded s WHERE s.merged`,
  `INSERT INTO reviews.verifications (tenant_id, review_id, route, remote_url, repository, target_branch, target_tip,
     commit_id, anchor_commit_id, build_id)
   SELECT tenant, review_id, 'queue', repository, repository, branch, commit_id, commit_id,
          lag(commit_id) OVER (ORDER BY n), gate_id
     FROM given, seeded s WHERE s.merged`,
  `INSERT INTO releases.releases (tenant_id, release_id, review_id, target_branch, commit_id)
   SELECT tenant, gen_random_uuid(), review_id, branch, commit_id FROM given, seeded s WHERE s.merged ORDER BY n`,
];
