CREATE OR REPLACE FUNCTION builds.report_environment_build(tenant uuid, environment uuid, build uuid, build_successful boolean,
  commit text, build_version text, detail text) RETURNS SETOF builds.builds
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  named text := environments.environment_name(tenant, environment);
BEGIN
  IF named IS NULL THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such environment.');
  END IF;
  RETURN QUERY
    INSERT INTO builds.builds (tenant_id, build_id, environment_id, environment_name, kind, successful, commit_id,
                               version, failure_detail)
    VALUES (tenant, build, environment, named, 'RECORDED', build_successful, commit, build_version, detail)
    RETURNING *;
END
$$;
COMMENT ON FUNCTION builds.report_environment_build IS
  'Stores a RECORDED build of an environment and returns it. Refuses with NOT_FOUND if the tenant has no such '
  'environment. The builds service calls it for POST /v1/builds.';
REVOKE ALL ON FUNCTION builds.report_environment_build FROM PUBLIC;
GRANT EXECUTE ON FUNCTION builds.report_environment_build TO plat_builds;
