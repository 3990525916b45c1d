import { TEST_USERS } from '@plat/testing';
import { type LogStand, NEIGHBOUR, TENANT } from './stand';

const { alice, bob, mallory } = TEST_USERS;
const COMMIT = 'c'.repeat(40);

/**
 * Statement that writes rows of the trail: $1 tenant, $2 users by turns, $3 how many. Of each type, and with text that JSON
 * must escape.
 */
export const WRITE_ROWS = `
  INSERT INTO audit.audit_events (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id,
    external_org_id, type, api_method, api_path, mcp_tool, api_parameters, created_at)
  SELECT $1, gen_random_uuid(), 'r' || i, ($2::uuid[])[1 + i % cardinality($2::uuid[])], E'sub "\\\\ \\n\\x01é' || i,
         'https://issuer.example', CASE WHEN i % 2 = 0 THEN 'org' END, CASE WHEN i % 3 = 0 THEN 'MCP' ELSE 'API' END, 'POST',
         '/v1/reviews', CASE WHEN i % 3 = 0 THEN 'review_list' END, CASE WHEN i % 5 = 0 THEN '{"reason": "why"}'::jsonb END,
         clock_timestamp()
    FROM generate_series(1, $3) AS i`;

/** The arguments of WRITE_ROWS. */
export const rowsOf = (tenant: string, count: number): unknown[] => [
  tenant,
  tenant === TENANT ? [alice.userId, bob.userId] : [mallory.userId],
  count,
];

/** Writes a landing, and a later verdict on it if `judged`, without the story that leads to it. */
export async function land({ forced }: LogStand, judged: boolean): Promise<void> {
  await forced.query('BEGIN');
  const { rows } = await forced.query<{ review_id: string }>(
    `INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, source_branch, target_branch)
     VALUES ($1, gen_random_uuid(), $2, 'of "' || gen_random_uuid() || '"', 'topic ' || gen_random_uuid(), 'main') RETURNING review_id`,
    [TENANT, alice.userId],
  );
  const landing = [TENANT, rows[0]!.review_id];
  await forced.query(
    `INSERT INTO reviews.verifications (tenant_id, review_id, route, remote_url, repository, target_branch, target_tip, source_tip)
     VALUES ($1, $2, 'reconciled', 'https://git.example/r', 'https://git.example/r', 'main', $3, $3)`,
    [...landing, COMMIT],
  );
  if (judged) {
    await forced.query(
      `INSERT INTO reviews.later_contents (tenant_id, review_id, content_verdict, content_reason, content_findings,
         content_findings_left_out) VALUES ($1, $2, 'UNKNOWN', 'no_source', '[]', 0)`,
      landing,
    );
  }
  await forced.query('COMMIT');
}

/** Erases alice. */
export async function erasePerson({ forced }: LogStand): Promise<void> {
  await forced.query('SELECT ledger.erase_user($1, $2)', [TENANT, alice.userId]);
}

/** Prunes the older half of the sealed rows of all tenants, as the owner of the trail marks a month and drops it. */
export async function prune({ forced }: LogStand): Promise<void> {
  await forced.query(`
    BEGIN;
    CREATE TEMP TABLE pruned ON COMMIT DROP AS
      SELECT e.tenant_id, e.audit_event_id AS id, e.created_at AS at
        FROM audit.audit_events e
        JOIN ledger.entries x ON x.tenant_id = e.tenant_id AND x.kind = 'audit' AND x.id = e.audit_event_id
       ORDER BY e.created_at LIMIT (SELECT count(*) / 2 FROM audit.audit_events);
    SELECT ledger.note_pruned(p.tenant_id, array_agg(p.id), array_agg(p.at)) FROM pruned p GROUP BY p.tenant_id;
    DELETE FROM audit.audit_events e USING pruned p
     WHERE e.tenant_id = p.tenant_id AND e.audit_event_id = p.id AND e.created_at = p.at;
    COMMIT`);
}

/** Leaves the rows as a restore in another cluster has them, whose transactions had far greater numbers. */
export async function restoreElsewhere({ forced }: LogStand): Promise<void> {
  await forced.query(`
    BEGIN;
    UPDATE audit.audit_events SET written_in = '900000000000';
    UPDATE reviews.verifications SET written_in = '900000000000';
    UPDATE reviews.later_contents SET written_in = '900000000000';
    UPDATE ledger.logs SET cluster = 1, sealed_below = '800000000000', landed_below = '800000000000';
    COMMIT`);
}

/** Waits until no transaction is open any more that began before these rows: other databases of the cluster have some. */
export async function settle({ forced }: LogStand): Promise<void> {
  for (let settled = false; !settled;) {
    const { rows } = await forced.query<{ settled: boolean }>(
      `SELECT coalesce(bool_and(written_in < pg_snapshot_xmin(pg_current_snapshot())), true) AS settled
         FROM (SELECT written_in FROM audit.audit_events UNION ALL SELECT written_in FROM reviews.verifications) AS w
        WHERE written_in < pg_snapshot_xmax(pg_current_snapshot())`,
    );
    settled = rows[0]!.settled;
  }
}

/** Lists committed rows without an entry, and entries that are there twice, in words. */
export async function listUnsealedRows({ forced }: LogStand): Promise<string[]> {
  const { rows } = await forced.query<{ fault: string }>(`
    SELECT 'row ' || e.audit_event_id || ' has no entry' AS fault FROM audit.audit_events e
     WHERE NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit' AND x.id = e.audit_event_id)
     UNION ALL
    SELECT 'landing ' || v.review_id || ' has no entry' FROM reviews.verifications v
     WHERE NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = v.tenant_id AND x.kind = 'landing' AND x.id = v.review_id)
     UNION ALL
    SELECT 'verdict on ' || c.review_id || ' has no entry' FROM reviews.later_contents c
     WHERE NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = c.tenant_id AND x.kind = 'landing'
                          AND x.id = c.review_id AND x.part = 1)
     UNION ALL
    SELECT x.kind || ' ' || x.id || ' has ' || count(*) || ' entries' FROM ledger.entries x
     GROUP BY x.tenant_id, x.kind, x.id, x.part HAVING count(*) > 1`);
  return rows.map(({ fault }) => fault);
}

export const TENANTS = [TENANT, NEIGHBOUR] as const;
