CREATE OR REPLACE FUNCTION builds.report_review_build(tenant uuid, review uuid, build uuid, build_kind text,
  build_successful boolean, commit text, build_version text, detail text, environment uuid,
  is_vouched boolean DEFAULT NULL)
RETURNS SETOF builds.builds
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  named text;
  entry builds.builds;
BEGIN
  IF environment IS NOT NULL AND environments.environment_name(tenant, environment) IS NULL THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such environment.');
  END IF;
  named := reviews.begin_build_report(tenant, review);
  IF named IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO builds.builds (tenant_id, build_id, review_id, review_name, kind, successful, commit_id, version,
                             failure_detail, vouched)
  VALUES (tenant, build, review, named, build_kind, build_successful, commit, build_version, detail, is_vouched)
  RETURNING * INTO STRICT entry;
  PERFORM reviews.apply_build(tenant, review, build, build_kind, build_successful);
  RETURN NEXT entry;
END
$$;
COMMENT ON FUNCTION builds.report_review_build IS
  'Stores a build of a review, moves the review by it (reviews.apply_build) and returns the build; no row if the '
  'tenant has no such review. Refuses with NOT_FOUND if an environment is given that the tenant does not have; the '
  'environment is not stored. The builds service calls it for POST /v1/reviews/{review_id}/builds.';
REVOKE ALL ON FUNCTION builds.report_review_build FROM PUBLIC;
GRANT EXECUTE ON FUNCTION builds.report_review_build TO plat_builds;
