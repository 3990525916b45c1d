CREATE OR REPLACE FUNCTION reviews.prune_gate_runs(tenant uuid, before timestamptz, after uuid, most int, dry boolean)
RETURNS TABLE(last uuid, removed bigint, kept bigint, oldest timestamptz, newest timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  looked  uuid[];
  ended   uuid[];
BEGIN
  IF before > now() - interval '1 day' THEN
    RAISE invalid_parameter_value USING MESSAGE = 'gate runs are kept for a day at least';
  END IF;
  looked := ARRAY(SELECT g.gate_run_id FROM reviews.gate_runs g
                   WHERE g.tenant_id = tenant AND (after IS NULL OR g.gate_run_id > after) AND g.updated_at < before
                   ORDER BY g.gate_run_id LIMIT most);
  last := looked[cardinality(looked)];
  ended := ARRAY(SELECT g.gate_run_id FROM reviews.gate_runs g
                  WHERE g.tenant_id = tenant AND g.gate_run_id = ANY (looked) AND g.verdict <> 'RUNNING'
                    AND (g.review_id IS NULL
                         OR EXISTS (SELECT FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = g.review_id
                                       AND r.status IN ('MERGED', 'CLOSED'))));
  SELECT min(g.created_at), max(g.created_at) INTO oldest, newest FROM reviews.gate_runs g
   WHERE g.tenant_id = tenant AND g.gate_run_id = ANY (ended);
  removed := cardinality(ended);
  IF NOT dry THEN
    -- A verdict is final, and so is the end of a review: what was found stays true.
    DELETE FROM reviews.gate_runs g WHERE g.tenant_id = tenant AND g.gate_run_id = ANY (ended);
    GET DIAGNOSTICS removed = ROW_COUNT;
  END IF;
  kept := cardinality(looked) - removed;
  RETURN NEXT;
END
$$;
COMMENT ON FUNCTION reviews.prune_gate_runs IS
  'Deletes gate runs of a tenant as builds.prune deletes builds: those that are decided, have not changed since a '
  'moment, and belong to an ended review or to none. npm run db -- prune calls it.';
REVOKE ALL ON FUNCTION reviews.prune_gate_runs FROM PUBLIC;
