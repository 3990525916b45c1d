CREATE OR REPLACE FUNCTION reviews.queue_parts(tenant uuid, target text, repo text) RETURNS text[]
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  named text := reviews.next_waiting_repository(tenant, target, '');
BEGIN
  IF repo IS NOT NULL THEN
    RETURN ARRAY[repo];
  END IF;
  -- As reviews.look_at_head decides it.
  IF reviews.next_waiting_repository(tenant, target, named) IS NOT NULL THEN
    PERFORM reviews.refuse_ambiguous(tenant, target);
  END IF;
  IF named IS NULL THEN
    named := (reviews.occupant(tenant, target, NULL, true)).repository;
  END IF;
  IF named IS NULL THEN
    named := reviews.next_logged_repository(tenant, target, '');
    IF reviews.next_logged_repository(tenant, target, named) IS NOT NULL THEN
      named := NULL;
    END IF;
  END IF;
  RETURN CASE WHEN named IS NULL THEN ARRAY[NULL]::text[] ELSE ARRAY[named, NULL] END;
END
$$;
COMMENT ON FUNCTION reviews.queue_parts IS
  'Returns the repositories of the queue that a caller requests: the named repository alone; without a name the only '
  'repository that waits, else that of the slot, else the only one of the log, with NULL for the reviews that record '
  'none. Refuses with MERGE_QUEUE_AMBIGUOUS as reviews.advance does. reviews.queue_status calls it.';
REVOKE ALL ON FUNCTION reviews.queue_parts FROM PUBLIC;
