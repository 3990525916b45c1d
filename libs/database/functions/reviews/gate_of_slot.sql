CREATE OR REPLACE FUNCTION reviews.gate_of_slot(tenant uuid, review uuid, since timestamp with time zone)
RETURNS SETOF reviews.gate_runs
LANGUAGE sql STABLE
AS $$
  SELECT n.* FROM (
    SELECT g.* FROM reviews.gate_runs g
     WHERE g.tenant_id = tenant AND g.review_id = review AND g.created_at >= since
     ORDER BY g.created_at DESC, g.gate_run_id DESC LIMIT 200) AS n
   ORDER BY CASE n.verdict WHEN 'RUNNING' THEN 0 WHEN 'INCONCLUSIVE' THEN 2 ELSE 1 END, n.created_at DESC, n.gate_run_id DESC
   LIMIT 1
$$;
COMMENT ON FUNCTION reviews.gate_of_slot IS
  'Returns the gate run that shows the activity of a review at MERGE, of the newest 200 since its promotion: the '
  'newest that is RUNNING, else the newest with a verdict, else the newest INCONCLUSIVE one; no row if there is none.';
REVOKE ALL ON FUNCTION reviews.gate_of_slot FROM PUBLIC;
