CREATE OR REPLACE FUNCTION reviews.make_ready(subject reviews.reviews, build uuid) RETURNS reviews.reviews
LANGUAGE plpgsql
AS $$
DECLARE
  place bigint := reviews.log_move(subject, CASE WHEN build IS NULL THEN 'requeue' ELSE 'ready' END, build);
  changed reviews.reviews;
BEGIN
  UPDATE reviews.reviews r
     SET status = 'READY', ticket = place, last_ready_build_id = coalesce(build, r.last_ready_build_id),
         updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$$;
COMMENT ON FUNCTION reviews.make_ready IS
  'Moves a review to READY at the tail of its queue, by a build or, if build is NULL, by a requeue. Returns it as '
  'it then stands. The caller holds the queue''s lock.';
REVOKE ALL ON FUNCTION reviews.make_ready FROM PUBLIC;
