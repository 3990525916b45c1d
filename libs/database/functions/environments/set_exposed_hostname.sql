CREATE OR REPLACE FUNCTION environments.set_exposed_hostname(tenant uuid, environment uuid, hostname text)
RETURNS SETOF environments.environments
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE environments.environments e SET exposed_hostname = hostname, updated_at = clock_timestamp()
   WHERE e.tenant_id = tenant AND e.environment_id = environment RETURNING e.*
$$;
COMMENT ON FUNCTION environments.set_exposed_hostname IS
  'Stores the public name of an environment, NULL for none, and returns the environment; no row if the tenant has '
  'none of that id. The platform service calls it for PUT and DELETE /v1/environments/{environment_id}/hostname.';
REVOKE ALL ON FUNCTION environments.set_exposed_hostname FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.set_exposed_hostname TO plat_platform;
