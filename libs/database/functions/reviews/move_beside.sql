CREATE OR REPLACE FUNCTION reviews.move_beside(tenant uuid, review uuid, at_version bigint, later boolean)
RETURNS TABLE(version bigint, moved_at timestamp with time zone)
LANGUAGE plpgsql STABLE ROWS 1
AS $$
BEGIN
  IF later THEN
    RETURN QUERY SELECT m.version, m.created_at FROM reviews.queue_moves m
      WHERE m.tenant_id = tenant AND m.review_id = review AND m.version > at_version ORDER BY m.version LIMIT 1;
  ELSE
    RETURN QUERY SELECT m.version, m.created_at FROM reviews.queue_moves m
      WHERE m.tenant_id = tenant AND m.review_id = review AND m.version < at_version ORDER BY m.version DESC LIMIT 1;
  END IF;
END
$$;
COMMENT ON FUNCTION reviews.move_beside IS
  'Returns the last move of a review before a version of its queue or, if later is true, its first move after it; no '
  'row if there is none.';
REVOKE ALL ON FUNCTION reviews.move_beside FROM PUBLIC;
