CREATE OR REPLACE FUNCTION reviews.decide_gate_run(tenant uuid, run uuid, decided text, step text, log text)
RETURNS SETOF reviews.gate_runs
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  held text;
BEGIN
  RETURN QUERY
    UPDATE reviews.gate_runs g
       SET verdict = decided, failing_step = step, log_ref = coalesce(log, g.log_ref), updated_at = clock_timestamp()
     WHERE g.tenant_id = tenant AND g.gate_run_id = run AND g.verdict = 'RUNNING'
    RETURNING g.*;
  IF NOT FOUND THEN
    SELECT g.verdict INTO held FROM reviews.gate_runs g WHERE g.tenant_id = tenant AND g.gate_run_id = run;
    IF FOUND THEN
      PERFORM tenancy.refuse('GATE_RUN_ALREADY_DECIDED', jsonb_build_object('gateRunId', run, 'verdict', held));
    END IF;
  END IF;
END
$$;
COMMENT ON FUNCTION reviews.decide_gate_run IS
  'Gives a RUNNING gate run its verdict and returns it; no row if the tenant has none of that id. Refuses with '
  'GATE_RUN_ALREADY_DECIDED if another verdict came first. The reviews service calls it for PATCH '
  '/v1/gate-runs/{gate_run_id}.';
REVOKE ALL ON FUNCTION reviews.decide_gate_run FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.decide_gate_run TO plat_reviews;
