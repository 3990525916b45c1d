CREATE OR REPLACE FUNCTION reviews.get_gate_run(tenant uuid, run uuid) RETURNS SETOF reviews.gate_runs
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT * FROM reviews.gate_runs g
   WHERE g.tenant_id = ANY (identity.readable_tenants(tenant)) AND g.gate_run_id = run;
END
$$;
COMMENT ON FUNCTION reviews.get_gate_run IS
  'Returns one visible gate run, or no row. The reviews service calls it for GET /v1/gate-runs/{gate_run_id}.';
REVOKE ALL ON FUNCTION reviews.get_gate_run FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.get_gate_run TO plat_reviews;
