CREATE OR REPLACE FUNCTION reviews.count_moves(tenant uuid, target text, repo text, of_cause text, up_to bigint DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN coalesce((reviews.last_move(tenant, target, repo, of_cause, up_to)).nth, 0);
END
$$;
COMMENT ON FUNCTION reviews.count_moves IS
  'Returns how many moves of a cause the queue of one repository, or of none, has had up to a version: the '
  'number of the last one. reviews.number_move and reviews.queue_statistics call it.';
REVOKE ALL ON FUNCTION reviews.count_moves FROM PUBLIC;
