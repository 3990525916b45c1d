CREATE OR REPLACE FUNCTION releases.get_release(tenant uuid, release uuid) RETURNS SETOF releases.releases
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT * FROM releases.releases r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.release_id = release;
END
$$;
COMMENT ON FUNCTION releases.get_release IS
  'Returns one visible release, or no row. The releases service calls it for GET /v1/releases/{release_id}.';
REVOKE ALL ON FUNCTION releases.get_release FROM PUBLIC;
GRANT EXECUTE ON FUNCTION releases.get_release TO plat_releases;
