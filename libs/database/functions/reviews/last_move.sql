CREATE OR REPLACE FUNCTION reviews.last_move(tenant uuid, target text, repo text, of_cause text, up_to bigint DEFAULT NULL)
RETURNS reviews.queue_moves
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  newest bigint := coalesce(up_to, 9223372036854775807);
  found  reviews.queue_moves;
BEGIN
  -- Rows are compared as wholes, so that no other index has their order: reading the log backwards would take long if the
  -- cause is rare. Two statements, because IS NOT DISTINCT FROM cannot use an index.
  IF repo IS NULL THEN
    SELECT * INTO found FROM reviews.queue_moves m
     WHERE m.tenant_id = tenant AND m.target_branch = target AND m.repository IS NULL
       AND (m.cause, m.version) <= (of_cause, newest)
     ORDER BY m.repository DESC, m.cause DESC, m.version DESC LIMIT 1;
  ELSE
    SELECT * INTO found FROM reviews.queue_moves m
     WHERE m.tenant_id = tenant AND m.target_branch = target
       AND (m.repository, m.cause, m.version) <= (repo, of_cause, newest)
     ORDER BY m.repository DESC, m.cause DESC, m.version DESC LIMIT 1;
  END IF;
  IF found.cause IS DISTINCT FROM of_cause OR found.repository IS DISTINCT FROM repo THEN
    RETURN NULL;
  END IF;
  RETURN found;
END
$$;
COMMENT ON FUNCTION reviews.last_move IS
  'Returns the last move of a cause in the queue of one repository, or, for NULL, of the reviews that record no '
  'repository, up to a version of the queue if one is given; an empty row if there is none.';
REVOKE ALL ON FUNCTION reviews.last_move FROM PUBLIC;
