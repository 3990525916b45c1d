CREATE OR REPLACE FUNCTION environments.environment_name(tenant uuid, environment uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT e.name FROM environments.environments e WHERE e.tenant_id = tenant AND e.environment_id = environment $$;
COMMENT ON FUNCTION environments.environment_name IS
  'Returns the name of an environment of the tenant, or NULL. The functions that store a build ask it.';
REVOKE ALL ON FUNCTION environments.environment_name FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.environment_name TO plat_builds_owner;
