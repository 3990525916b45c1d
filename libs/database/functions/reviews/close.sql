CREATE OR REPLACE FUNCTION reviews.close(subject reviews.reviews) RETURNS reviews.reviews
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  changed reviews.reviews;
BEGIN
  PERFORM reviews.log_move(subject, 'close');
  UPDATE reviews.reviews r SET status = 'CLOSED', ticket = NULL, updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$$;
COMMENT ON FUNCTION reviews.close IS
  'Moves a review to CLOSED, and frees its place. Returns it as it then stands. The caller holds the queue''s lock.';
REVOKE ALL ON FUNCTION reviews.close FROM PUBLIC;
