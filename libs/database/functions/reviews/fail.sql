CREATE OR REPLACE FUNCTION reviews.fail(subject reviews.reviews, build uuid) RETURNS reviews.reviews
LANGUAGE plpgsql
AS $$
DECLARE
  kind    text := (SELECT f.kind FROM builds.build_facts(subject.tenant_id, build) f);
  changed reviews.reviews;
BEGIN
  PERFORM reviews.log_move(subject, 'fail', build, CASE WHEN kind = 'GATE' THEN 'GATE_FAILED' END);
  UPDATE reviews.reviews r
     SET status = 'FAILED', ticket = NULL, last_failed_build_id = build, updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$$;
COMMENT ON FUNCTION reviews.fail IS
  'Moves a review to FAILED by a build, and frees its place or slot. Returns it as it then stands. The caller holds '
  'the queue''s lock.';
REVOKE ALL ON FUNCTION reviews.fail FROM PUBLIC;
