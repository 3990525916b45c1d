CREATE OR REPLACE FUNCTION releases.needed_builds(tenant uuid, builds uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT r.build_id FROM releases.releases r WHERE r.tenant_id = tenant AND r.build_id = ANY (builds)
$$;
COMMENT ON FUNCTION releases.needed_builds IS
  'Returns those of the builds that a release names. builds.prune asks it.';
REVOKE ALL ON FUNCTION releases.needed_builds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION releases.needed_builds TO plat_builds_owner;
