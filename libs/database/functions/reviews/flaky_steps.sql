CREATE OR REPLACE FUNCTION reviews.flaky_steps(tenant uuid, target text, parts text[], since timestamp with time zone, until timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
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
            -- A failure without a merge commit tested nothing: the source could not be merged, or has landed before.
            SELECT n.*, (n.merge_commit IS NOT NULL OR n.verdict <> 'FAILED')
                    AND (EXISTS (SELECT FROM reviews.gate_runs p
                                  WHERE p.tenant_id = tenant AND p.verdict = 'PASSED' AND p.merge_commit = n.merge_commit)
                      OR EXISTS (SELECT FROM reviews.gate_runs p
                                  WHERE p.tenant_id = tenant AND p.verdict = 'PASSED' AND p.source_commit = n.source_commit
                                    AND p.target_branch = n.target_branch)) AS passed
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
  'Returns the steps at which gate runs of a queue ended although another run of the same merge or source commit '
  'passed, the flakiest first: of the newest 400 runs onto the target branch that ended at a step, 50 steps at '
  'most. A FAILED run without a merge commit is not flaky. A run without a review counts if no repository is named. '
  'reviews.queue_statistics calls it.';
REVOKE ALL ON FUNCTION reviews.flaky_steps FROM PUBLIC;
