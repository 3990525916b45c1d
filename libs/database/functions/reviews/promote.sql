CREATE OR REPLACE FUNCTION reviews.promote(subject reviews.reviews, override boolean DEFAULT false, reason text DEFAULT NULL)
RETURNS reviews.reviews
LANGUAGE plpgsql
AS $$
DECLARE
  changed reviews.reviews;
BEGIN
  PERFORM reviews.log_move(subject, 'promote', NULL, CASE WHEN override THEN 'PROMOTED_BY_OVERRIDE' END, reason);
  UPDATE reviews.reviews r SET status = 'MERGE', ticket = NULL, updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$$;
COMMENT ON FUNCTION reviews.promote IS
  'Moves a review to MERGE, and logs that its threads were passed over if override is true. Returns it as it then '
  'stands. The caller holds the queue''s lock and has looked at the head. reviews.advance and reviews.apply_build '
  'call it.';
REVOKE ALL ON FUNCTION reviews.promote FROM PUBLIC;
