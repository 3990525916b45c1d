-- Builds without a review, and the listing of the whole build history.
-- Guarantees: a build is recorded for one of the tenant's own environments only, and keeps that environment's name.
-- The indexes are built under a lock that holds back new build reports meanwhile; reads go on.

SET ROLE plat_builds_owner;

CREATE INDEX builds_environment ON builds.builds (tenant_id, environment_id, created_at, build_id)
  WHERE environment_id IS NOT NULL;
-- What is rare among builds has an index of its own; what is common is found by builds_newest without one, so that
-- the usual report, green and RECORDED, pays for neither.
CREATE INDEX builds_gate ON builds.builds (tenant_id, created_at, build_id) WHERE kind = 'GATE';
CREATE INDEX builds_failed ON builds.builds (tenant_id, created_at, build_id) WHERE NOT successful;

-- Records a build that belongs to an environment. Spec: API, Builds, rules 2 and 3.
CREATE FUNCTION builds.report_environment_build(tenant uuid, environment uuid, build uuid, build_successful boolean,
  commit text, build_version text, detail text) RETURNS SETOF builds.builds
LANGUAGE plpgsql VOLATILE
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

-- A page of the builds that the caller may see, newest first, after the given place. Only the conditions that are
-- asked for are written, so that each finds its index.
CREATE FUNCTION builds.list_builds(tenant uuid, environment uuid, wanted_kind text, wanted_outcome boolean,
  earliest timestamptz, latest timestamptz, after_time timestamptz, after_id uuid, page int)
RETURNS SETOF builds.builds
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY EXECUTE
    'SELECT * FROM builds.builds b WHERE true'
    || CASE WHEN NOT tenancy.across() THEN ' AND b.tenant_id = $1' ELSE '' END
    || CASE WHEN environment IS NOT NULL THEN ' AND b.environment_id = $2' ELSE '' END
    || CASE WHEN wanted_kind IS NOT NULL THEN ' AND b.kind = $3' ELSE '' END
    || CASE wanted_outcome WHEN true THEN ' AND b.successful' WHEN false THEN ' AND NOT b.successful' ELSE '' END
    || CASE WHEN earliest IS NOT NULL THEN ' AND b.created_at >= $4' ELSE '' END
    || CASE WHEN latest IS NOT NULL THEN ' AND b.created_at <= $5' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (b.created_at, b.build_id) < ($6, $7)' ELSE '' END
    || ' ORDER BY b.created_at DESC, b.build_id DESC LIMIT $8'
    USING tenant, environment, wanted_kind, earliest, latest, after_time, after_id, page;
END
$$;

REVOKE ALL ON FUNCTION
  builds.report_environment_build(uuid, uuid, uuid, boolean, text, text, text),
  builds.list_builds(uuid, uuid, text, boolean, timestamptz, timestamptz, timestamptz, uuid, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  builds.report_environment_build(uuid, uuid, uuid, boolean, text, text, text),
  builds.list_builds(uuid, uuid, text, boolean, timestamptz, timestamptz, timestamptz, uuid, int) TO plat_builds;
GRANT EXECUTE ON FUNCTION
  builds.list_builds(uuid, uuid, text, boolean, timestamptz, timestamptz, timestamptz, uuid, int) TO plat_operations;
RESET ROLE;
