CREATE OR REPLACE FUNCTION reviews.lock_review(tenant uuid, review uuid) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  -- The target never changes, so it may be read before the lock.
  target text := (SELECT r.target_branch FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review);
BEGIN
  IF target IS NOT NULL THEN
    PERFORM reviews.lock_queue(tenant, target);
    RETURN QUERY SELECT * FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review FOR NO KEY UPDATE;
  END IF;
END
$$;
COMMENT ON FUNCTION reviews.lock_review IS
  'Takes the lock of a review''s queue, then of the review, and returns the review as it now stands; no row if the '
  'tenant has none of that id. Every function that moves a review by its id calls it.';
REVOKE ALL ON FUNCTION reviews.lock_review FROM PUBLIC;
