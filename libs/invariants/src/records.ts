import { ROUTES } from '@plat/contracts/core';
import type { Invariant } from './invariant';

const ROUTE_KEYS = Object.values(ROUTES).map(({ method, template }) => `${method} ${template}`);

/** Builds, releases, gate runs, environments and the audit trail. */
export const RECORD_INVARIANTS: Invariant[] = [
  {
    promise: 'a build has exactly one of review and environment, and the name of that one',
    sql: `
      SELECT tenant_id, build_id, review_id, environment_id FROM builds.builds
       WHERE num_nonnulls(review_id, environment_id) <> 1
          OR (review_id IS NULL) <> (review_name IS NULL) OR (environment_id IS NULL) <> (environment_name IS NULL)`,
  },
  {
    promise: 'a GATE build has a review and no version, a RECORDED build has a version',
    sql: `
      SELECT tenant_id, build_id, kind, review_id, version FROM builds.builds
       WHERE (kind = 'GATE' AND (review_id IS NULL OR version IS NOT NULL)) OR (kind = 'RECORDED' AND version IS NULL)`,
  },
  {
    promise: 'at most one release runs per tenant',
    sql: `
      SELECT tenant_id, array_agg(release_id) AS release_ids FROM releases.releases
       WHERE status = 'running' GROUP BY tenant_id HAVING count(*) > 1`,
  },
  {
    promise: 'a commit has at most one release',
    sql: `
      SELECT tenant_id, commit_id, array_agg(release_id) AS release_ids FROM releases.releases
       GROUP BY tenant_id, commit_id HAVING count(*) > 1`,
  },
  {
    promise:
      'a release has a version exactly when released, a reason exactly when failed, and counts its attempts',
    sql: `
      SELECT tenant_id, release_id, status, version, failure_reason, attempt FROM releases.releases
       WHERE (status = 'released') <> (version IS NOT NULL) OR (status = 'failed') <> (failure_reason IS NOT NULL)
          OR attempt < 1`,
  },
  {
    // A release that is queued again keeps its place, so only first attempts show the order of claims. Only releases that
    // began before one of an earlier place are compared one by one.
    promise: 'releases are claimed first in, first out',
    sql: `
      WITH suspects AS (
        SELECT * FROM (
          SELECT tenant_id, release_id, queue_sequence, started_at,
                 max(coalesce(started_at, 'infinity')) FILTER (WHERE attempt = 1) OVER (
                   PARTITION BY tenant_id ORDER BY queue_sequence ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
                 ) AS latest_before
            FROM releases.releases) AS r
         WHERE started_at < latest_before)
      SELECT claimed.tenant_id, claimed.release_id, waiting.release_id AS passed_over
        FROM suspects claimed JOIN releases.releases waiting USING (tenant_id)
       WHERE waiting.attempt = 1
         AND waiting.queue_sequence < claimed.queue_sequence AND waiting.created_at < claimed.started_at
         AND (waiting.started_at IS NULL OR waiting.started_at > claimed.started_at)`,
  },
  {
    promise:
      'a gate run names the commit it tested unless FAILED or INCONCLUSIVE, and FAILED the step that failed',
    sql: `
      SELECT tenant_id, gate_run_id, verdict, merge_commit, failing_step FROM reviews.gate_runs
       WHERE (merge_commit IS NULL AND verdict NOT IN ('FAILED', 'INCONCLUSIVE'))
          OR (verdict = 'FAILED' AND failing_step IS NULL) OR (verdict = 'PASSED' AND failing_step IS NOT NULL)`,
  },
  {
    promise:
      'an environment is deleting exactly while a job is there for it, and has a reason exactly when blocked',
    sql: `
      SELECT e.tenant_id, e.environment_id, e.status, d.environment_id AS job, e.delete_error
        FROM environments.environments e LEFT JOIN environments.deletions d USING (tenant_id, environment_id)
       WHERE (e.status = 'deleting') <> (d.environment_id IS NOT NULL)
          OR (e.status = 'deletion-blocked') <> (e.delete_error IS NOT NULL)`,
  },
  {
    promise: 'an audit row names a route template of the table, never a concrete path',
    sql: `
      SELECT tenant_id, audit_event_id, api_method, api_path FROM audit.audit_events
       WHERE type = 'API' AND concat_ws(' ', api_method, api_path) <> ALL ($1::text[])`,
    args: [ROUTE_KEYS],
  },
  {
    promise: "an audit row's user is one of the row's tenant",
    sql: `
      SELECT e.tenant_id, e.audit_event_id, e.erun_user_id
        FROM (SELECT tenant_id, audit_event_id, erun_user_id FROM audit.audit_events) AS e
        LEFT JOIN identity.users u ON u.tenant_id = e.tenant_id AND u.user_id = e.erun_user_id
       WHERE u.user_id IS NULL`,
  },
];
