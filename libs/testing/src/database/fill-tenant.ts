import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { newId } from '@plat/contracts/core';
import { TEST_TENANTS, TEST_USERS } from '../directory/test-directory';
import type { TestDatabase } from './test-database';

const COMMIT = 'c'.repeat(40);

/**
 * Gives a tenant of the test directory at least one row in each table but those of environments. The rows follow no story,
 * so they break invariants; they serve tests for which only the tenant of a row counts.
 */
export async function fillTenant(
  { ownerUrl }: Pick<TestDatabase, 'ownerUrl'>,
  tenant: 'acme' | 'globex',
): Promise<void> {
  const client = new Client(ownerUrl);
  await client.connect();
  try {
    // Triggers judge the rows of a whole story.
    await client.query('SET session_replication_role = replica');
    for (const [text, values] of rowsOf(tenant)) await client.query(text, values);
  } finally {
    await client.end();
  }
}

function rowsOf(tenant: 'acme' | 'globex'): [string, unknown[]][] {
  const { tenantId } = TEST_TENANTS[tenant];
  const { userId } = TEST_USERS[tenant === 'acme' ? 'alice' : 'mallory'];
  const [review, build, comment] = [randomUUID(), newId(), randomUUID()];
  return [
    [
      `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, source_branch, target_branch, last_ready_build_id)
       VALUES ($1, $2, $3, 'one', 'topic', 'main', $4)`,
      [tenantId, review, userId, build],
    ],
    ...buildsOf({ tenantId, review, build }),
    ...keysOf({ tenantId, userId }),
    [`INSERT INTO reviews.queues (tenant_id, target_branch) VALUES ($1, 'main')`, [tenantId]],
    [
      `INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, move, cause, actor_user_id, build_id, nth)
       VALUES ($1, 'main', 1, $2, 'ready', 'BUILD_SUCCEEDED', $3, $4, 1)`,
      [tenantId, review, userId, build],
    ],
    [
      'INSERT INTO reviews.reviewers (tenant_id, review_id, user_id) VALUES ($1, $2, $3)',
      [tenantId, review, userId],
    ],
    [
      `INSERT INTO reviews.comments (tenant_id, comment_id, review_id, creator_user_id, status, commit_id, file_path, line, body)
       VALUES ($1, $2, $3, $4, 'OPEN', $5, 'f', 1, 'why')`,
      [tenantId, comment, review, userId, COMMIT],
    ],
    [
      `INSERT INTO reviews.comments (tenant_id, comment_id, review_id, creator_user_id, parent_comment_id, commit_id, file_path, line, body)
       VALUES ($1, gen_random_uuid(), $2, $3, $4, $5, 'f', 1, 'because')`,
      [tenantId, review, userId, comment, COMMIT],
    ],
    [
      `INSERT INTO reviews.gate_runs (tenant_id, gate_run_id, source_branch, target_branch, source_commit, merge_commit,
         review_id, review_name, verdict, creator_user_id)
       VALUES ($1, gen_random_uuid(), 'topic', 'main', $3, $3, $2, 'one', 'PASSED', $4)`,
      [tenantId, review, COMMIT, userId],
    ],
    ...mergeOf({ tenantId, review }),
    ...Array.from({ length: 3 }, (): [string, unknown[]] => [
      `INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id,
         external_issuer_id, type, api_method, api_path, created_at)
       VALUES ($1, gen_random_uuid(), gen_random_uuid(), $2, 's', 'i', 'API', 'GET', '/v1/reviews', clock_timestamp())`,
      [tenantId, userId],
    ]),
    ...logOf(tenantId),
  ];
}

const buildsOf = ({
  tenantId,
  review,
  build,
}: Record<'tenantId' | 'review' | 'build', string>): [string, unknown[]][] => [
  [
    `INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, kind, successful, commit_id, version)
     VALUES ($1, $2, $3, 'one', 'RECORDED', true, $4, '1.0.0')`,
    [tenantId, build, review, COMMIT],
  ],
  [
    `INSERT INTO builds.builds (tenant_id, build_id, environment_id, environment_name, kind, successful, commit_id, version)
     VALUES ($1, $3, gen_random_uuid(), 'dev', 'RECORDED', true, $2, '1.0.0')`,
    [tenantId, COMMIT, newId()],
  ],
];

const mergeOf = ({ tenantId, review }: Record<'tenantId' | 'review', string>): [string, unknown[]][] => [
  [
    `INSERT INTO reviews.verifications (tenant_id, review_id, route, remote_url, repository, target_branch, target_tip, source_tip)
     VALUES ($1, $2, 'reconciled', 'https://git.example/r', 'https://git.example/r', 'main', $3, $3)`,
    [tenantId, review, COMMIT],
  ],
  [
    `INSERT INTO reviews.later_contents (tenant_id, review_id, content_verdict, content_reason, content_findings,
       content_findings_left_out) VALUES ($1, $2, 'UNKNOWN', 'no_source', '[]', 0)`,
    [tenantId, review],
  ],
  ['INSERT INTO reviews.undone_work (tenant_id, review_id) VALUES ($1, $2)', [tenantId, review]],
  [
    `INSERT INTO reviews.undone_findings (tenant_id, review_id, place, commit_id, path, kind, certainty, is_said)
     VALUES ($1, $2, 1, $3, 'a.txt', 'deleted', 'possible', false)`,
    [tenantId, review, COMMIT],
  ],
  [
    `INSERT INTO releases.releases (tenant_id, release_id, review_id, target_branch, commit_id)
     VALUES ($1, gen_random_uuid(), $2, 'main', $3)`,
    [tenantId, review, COMMIT],
  ],
  ['INSERT INTO releases.lines (tenant_id) VALUES ($1)', [tenantId]],
];

const keysOf = ({ tenantId, userId }: { tenantId: string; userId: string }): [string, unknown[]][] => [
  [
    `INSERT INTO identity.idempotency_keys (tenant_id, user_id, key, digest, answer)
     VALUES ($1, $2, 'key', sha256('request'), '[]')`,
    [tenantId, userId],
  ],
];

/** A log with one entry, whose fields were erased. */
const logOf = (tenantId: string): [string, unknown[]][] =>
  [
    `INSERT INTO ledger.entries (tenant_id, leaf_index, kind, id, at, open, closed)
     VALUES ($1, 0, 'audit', gen_random_uuid(), clock_timestamp(), sha256('open'), sha256('closed'))`,
    `INSERT INTO ledger.tiles (tenant_id, level, tile_index, hashes)
     SELECT tenant_id, 0, 0, sha256('\\x00'::bytea || convert_to(ledger.leaf(kind, id, at, open, closed), 'UTF8'))
       FROM ledger.entries WHERE tenant_id = $1`,
    `INSERT INTO ledger.logs (tenant_id, origin, size, root, sealed_at, sealed_below, landed_below, cluster)
     SELECT tenant_id, 'plat.example/log/' || tenant_id, 1, hashes, clock_timestamp(),
            pg_snapshot_xmin(pg_current_snapshot()), pg_snapshot_xmin(pg_current_snapshot()), (SELECT system_identifier FROM pg_control_system())
       FROM ledger.tiles WHERE tenant_id = $1`,
    `INSERT INTO ledger.erasures (tenant_id, erasure_id, reason, entries)
     VALUES ($1, gen_random_uuid(), 'retention', '{[0,1)}')`,
  ].map((text) => [text, [tenantId]]);
