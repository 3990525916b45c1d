CREATE OR REPLACE FUNCTION reviews.fail_by_build(tenant uuid, review uuid, build uuid) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM reviews.expect_build(tenant, review, build, false);
  RETURN QUERY SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.fail(r, build) m;
END
$$;
COMMENT ON FUNCTION reviews.fail_by_build IS
  'Moves a review to FAILED by a red build of it, and returns it. Refuses with NOT_FOUND as reviews.expect_build '
  'does. The reviews service calls it for PATCH status FAILED.';
REVOKE ALL ON FUNCTION reviews.fail_by_build FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.fail_by_build TO plat_reviews;
