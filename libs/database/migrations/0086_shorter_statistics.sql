-- The statistics of a queue are computed from fewer rows: its newest 200 merges and 400 failed gate runs.
-- Guarantees: beside a million moves they take at most 1.5 times as long as beside a thousand (npm run bench -- size). With the
-- 500 and 1000 of 0080 they took twice as long. Counts are of all moves, as before.
-- On a live table: two functions are replaced. The release before calls them and shows what they return.

SET ROLE plat_reviews_owner;

CREATE OR REPLACE FUNCTION reviews.flaky_steps(tenant uuid, target text, parts text[], since timestamp with time zone,
  until timestamp with time zone) RETURNS jsonb
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN (
    SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('failingStep', f.failing_step, 'flakyRuns', f.flaky,
             'failingRuns', f.failing, 'lastAt', reviews.instant(f.last_at), 'lastGateRunId', f.last_run[1],
             'lastLogRef', f.last_run[2])) ORDER BY f.flaky DESC, f.last_at DESC, f.failing_step)
      FROM (
        SELECT g.failing_step, count(*) AS failing, count(*) FILTER (WHERE g.passed) AS flaky,
               max(g.created_at) FILTER (WHERE g.passed) AS last_at,
               ARRAY[(array_agg(g.gate_run_id::text ORDER BY g.created_at DESC) FILTER (WHERE g.passed))[1],
                     (array_agg(g.log_ref ORDER BY g.created_at DESC) FILTER (WHERE g.passed))[1]] AS last_run
          FROM (
            SELECT n.*, EXISTS (SELECT FROM reviews.gate_runs p
                                 WHERE p.tenant_id = tenant AND p.verdict = 'PASSED' AND p.merge_commit = n.merge_commit)
                     OR EXISTS (SELECT FROM reviews.gate_runs p
                                 WHERE p.tenant_id = tenant AND p.verdict = 'PASSED' AND p.source_commit = n.source_commit
                                   AND p.target_branch = n.target_branch) AS passed
              FROM (SELECT e.* FROM reviews.gate_runs e
                     WHERE e.tenant_id = tenant AND e.target_branch = target AND e.failing_step IS NOT NULL
                       AND e.created_at BETWEEN since AND until
                     ORDER BY e.created_at DESC LIMIT 400) AS n
              LEFT JOIN reviews.reviews r ON r.tenant_id = tenant AND r.review_id = n.review_id
             WHERE r.repository = parts[1] OR r.repository IS NULL AND parts[cardinality(parts)] IS NULL) AS g
         GROUP BY g.failing_step
        HAVING count(*) FILTER (WHERE g.passed) > 0
         ORDER BY count(*) FILTER (WHERE g.passed) DESC, max(g.created_at) FILTER (WHERE g.passed) DESC
         LIMIT 50) AS f);
END
$$;
COMMENT ON FUNCTION reviews.flaky_steps IS
  'Returns the steps at which gate runs of a queue ended although another run of the same merge or source commit passed, '
  'the flakiest first: of the newest 400 runs onto the target branch that ended at a step, 50 steps at most. A run '
  'without a review counts if no repository is named. reviews.queue_statistics calls it.';

CREATE OR REPLACE FUNCTION reviews.queue_statistics(tenant uuid, target text, repo text, since timestamp with time zone,
  until timestamp with time zone)
RETURNS TABLE(repository text, from_time timestamp with time zone, to_time timestamp with time zone, outcomes jsonb,
  ready_to_merge jsonb, merge_to_merged jsonb, ready_to_merged jsonb, flaky_steps jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  parts   text[];
  earlier bigint;
  later   bigint;
BEGIN
  to_time := coalesce(until, now());
  from_time := coalesce(since, greatest(to_time - interval '30 days', '0001-01-01T00:00:00Z'));
  IF from_time > to_time THEN
    PERFORM tenancy.refuse('INVALID_QUERY', jsonb_build_object('field', 'since'), 'since must not be later than until.');
  ELSIF from_time < to_time - interval '90 days' THEN
    PERFORM tenancy.refuse('INVALID_QUERY', jsonb_build_object('field', 'since'),
      'since must be at most 90 days before until.');
  END IF;
  parts := reviews.history_parts(tenant, target, repo);
  repository := parts[1];
  earlier := reviews.version_at(tenant, target, from_time - interval '1 microsecond');
  later := reviews.version_at(tenant, target, to_time);
  outcomes := (
    SELECT jsonb_object_agg(counted.cause, counted.moves)
      FROM (SELECT c.cause, sum(reviews.count_moves(tenant, target, part, c.cause, later)
                                - reviews.count_moves(tenant, target, part, c.cause, earlier)) AS moves
              FROM unnest(ARRAY['BUILD_SUCCEEDED', 'PROMOTED', 'PROMOTED_BY_OVERRIDE', 'MERGED', 'RECONCILED',
                                'GATE_FAILED', 'BUILD_FAILED', 'REQUEUED', 'CLOSED']) AS c (cause),
                   unnest(parts) AS part
             GROUP BY c.cause) AS counted);
  SELECT reviews.durations(array_agg(extract(epoch FROM m.promoted_at - m.ready_at)::double precision)),
         reviews.durations(array_agg(extract(epoch FROM m.merged_at - m.promoted_at)::double precision)),
         reviews.durations(array_agg(extract(epoch FROM m.merged_at - m.ready_at)::double precision))
    INTO ready_to_merge, merge_to_merged, ready_to_merged
    FROM reviews.merges(tenant, target, parts, earlier + 1, later, 200) m;
  flaky_steps := reviews.flaky_steps(tenant, target, parts, from_time, to_time);
  RETURN NEXT;
END
$$;
COMMENT ON FUNCTION reviews.queue_statistics IS
  'Returns one row about a time of 90 days at most, by default the last 30: how many moves of each cause a queue of the '
  'tenant had, how long the newest 200 merges took, and its flaky steps. Refuses with INVALID_QUERY a time that is '
  'longer or ends before it begins, and with MERGE_QUEUE_AMBIGUOUS as reviews.history_parts does. The reviews service '
  'calls it for GET /v1/reviews/merge-queue/statistics.';

RESET ROLE;
