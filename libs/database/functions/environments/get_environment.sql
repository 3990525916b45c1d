CREATE OR REPLACE FUNCTION environments.get_environment(tenant uuid, environment uuid) RETURNS SETOF environments.environments
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT * FROM environments.environments e
   WHERE e.tenant_id = ANY (identity.readable_tenants(tenant)) AND e.environment_id = environment;
END
$$;
COMMENT ON FUNCTION environments.get_environment IS
  'Returns one visible environment, or no row. The platform service calls it for GET '
  '/v1/environments/{environment_id} and before it exposes one.';
REVOKE ALL ON FUNCTION environments.get_environment FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.get_environment TO plat_platform;
