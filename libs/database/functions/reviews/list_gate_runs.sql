CREATE OR REPLACE FUNCTION reviews.list_gate_runs(tenant uuid, target text, source text, wanted text, review uuid,
  after_time timestamptz, after_id uuid, page int) RETURNS SETOF reviews.gate_runs
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM reviews.gate_runs e',
    CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $2' ELSE '' END
    || CASE WHEN source IS NOT NULL THEN ' AND e.source_branch = $3' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND e.verdict = $4' ELSE '' END
    || CASE WHEN review IS NOT NULL THEN ' AND e.review_id = $5' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.gate_run_id) < ($6, $7)' ELSE '' END,
    'e.created_at DESC, e.gate_run_id DESC', '$8')
    USING tenant, target, source, wanted, review, after_time, after_id, page;
END
$$;
COMMENT ON FUNCTION reviews.list_gate_runs IS
  'Returns one page of the visible gate runs, newest first, after the given place; a NULL filter selects all. The '
  'reviews service calls it for GET /v1/gate-runs.';
REVOKE ALL ON FUNCTION reviews.list_gate_runs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.list_gate_runs TO plat_reviews;
