CREATE OR REPLACE FUNCTION builds.get_review_build(tenant uuid, review uuid, build uuid) RETURNS SETOF builds.builds
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT * FROM builds.builds b
   WHERE b.tenant_id = ANY (identity.readable_tenants(tenant)) AND b.review_id = review AND b.build_id = build;
END
$$;
COMMENT ON FUNCTION builds.get_review_build IS
  'Returns one visible build of a review, or no row. The builds service calls it for GET '
  '/v1/reviews/{review_id}/builds/{build_id}.';
REVOKE ALL ON FUNCTION builds.get_review_build FROM PUBLIC;
GRANT EXECUTE ON FUNCTION builds.get_review_build TO plat_builds;
