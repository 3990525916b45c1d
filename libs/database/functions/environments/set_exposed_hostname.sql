CREATE OR REPLACE FUNCTION environments.set_exposed_hostname(tenant uuid, environment uuid, hostname text)
RETURNS SETOF environments.environments
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM environments.environments e
              WHERE e.tenant_id = tenant AND e.environment_id = environment AND e.status <> 'deleting') THEN
    PERFORM identity.expect_caller();
  END IF;
  IF EXISTS (
    SELECT FROM environments.environments e WHERE e.tenant_id = tenant AND e.environment_id = environment
       AND NOT starts_with(hostname, '*.' || environments.namespace_of(tenant, e.name) || '.')) THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, 'The public name does not begin with the namespace of the environment.');
  END IF;
  RETURN QUERY UPDATE environments.environments e SET exposed_hostname = hostname, updated_at = clock_timestamp()
   WHERE e.tenant_id = tenant AND e.environment_id = environment RETURNING e.*;
END
$$;
COMMENT ON FUNCTION environments.set_exposed_hostname IS
  'Stores the public name of an environment, NULL for none, and returns the environment; no row if the tenant has '
  'none of that id. Refuses with CONFLICT a name that does not begin with *.<namespace>. of the environment; one '
  'that another environment has violates environments_exposed_hostname. The platform service calls it for PUT and '
  'DELETE /v1/environments/{environment_id}/hostname.';
REVOKE ALL ON FUNCTION environments.set_exposed_hostname FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.set_exposed_hostname TO plat_platform;
