CREATE OR REPLACE FUNCTION reviews.expect_build(tenant uuid, review uuid, build uuid, outcome boolean) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM builds.build_facts(tenant, build) f WHERE f.review_id = review AND f.successful = outcome) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such build.');
  END IF;
END
$$;
COMMENT ON FUNCTION reviews.expect_build IS
  'Refuses with NOT_FOUND unless the build is of that review and has that outcome; the kind may be any.';
REVOKE ALL ON FUNCTION reviews.expect_build FROM PUBLIC;
