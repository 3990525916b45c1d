CREATE OR REPLACE FUNCTION builds.list_builds(tenant uuid, environment uuid, wanted_kind text, wanted_outcome boolean,
  earliest timestamptz, latest timestamptz, after_time timestamptz, after_id uuid, page int)
RETURNS SETOF builds.builds
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM builds.builds e',
    CASE WHEN environment IS NOT NULL THEN ' AND e.environment_id = $2' ELSE '' END
    || CASE WHEN wanted_kind IS NOT NULL THEN ' AND e.kind = $3' ELSE '' END
    || CASE wanted_outcome WHEN true THEN ' AND e.successful' WHEN false THEN ' AND NOT e.successful' ELSE '' END
    || CASE WHEN earliest IS NOT NULL THEN ' AND e.created_at >= $4' ELSE '' END
    || CASE WHEN latest IS NOT NULL THEN ' AND e.created_at <= $5' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.build_id) < ($6, $7)' ELSE '' END,
    'e.created_at DESC, e.build_id DESC', '$8')
    USING tenant, environment, wanted_kind, earliest, latest, after_time, after_id, page;
END
$$;
COMMENT ON FUNCTION builds.list_builds IS
  'Returns one page of the visible builds, newest first, after the given place; a NULL filter selects all. The builds '
  'service calls it for GET /v1/builds.';
REVOKE ALL ON FUNCTION builds.list_builds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION builds.list_builds TO plat_builds;
