CREATE OR REPLACE FUNCTION reviews.hold_review(tenant uuid, review uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review FOR SHARE;
  RETURN FOUND;
END
$$;
COMMENT ON FUNCTION reviews.hold_review IS
  'Holds a review as it is until the transaction ends, so that a promotion waits while a thread is opened; returns '
  'false if the tenant has no such review. The reviews service calls it before it opens or reopens a thread.';
REVOKE ALL ON FUNCTION reviews.hold_review FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.hold_review TO plat_reviews;
