CREATE OR REPLACE FUNCTION reviews.count_moves(tenant uuid, target text, repo text, of_cause text, up_to bigint DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  last reviews.queue_moves := reviews.last_move(tenant, target, repo, of_cause, up_to);
BEGIN
  IF last.version IS NULL OR last.nth IS NOT NULL THEN
    RETURN coalesce(last.nth, 0);
  END IF;
  -- Without a number they are counted one by one.
  RETURN (SELECT count(*) FROM reviews.queue_moves m
           WHERE m.tenant_id = tenant AND m.target_branch = target AND m.repository IS NOT DISTINCT FROM repo
             AND m.cause = of_cause AND m.version <= last.version);
END
$$;
COMMENT ON FUNCTION reviews.count_moves IS
  'Returns how many moves of a cause the queue of one repository, or of none, has had up to a version. It reads one '
  'row, if that has a number. reviews.number_move and reviews.queue_statistics call it.';
REVOKE ALL ON FUNCTION reviews.count_moves FROM PUBLIC;
