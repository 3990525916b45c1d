CREATE OR REPLACE FUNCTION environments.create_environment(tenant uuid, environment uuid, named text, kind text, context text)
RETURNS SETOF environments.environments
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM identity.expect_caller();
  IF length(environments.namespace_of(tenant, named)) > 63 THEN
    PERFORM tenancy.refuse('INVALID_BODY', '{"field": "name"}',
      'name is too long: <tenant>-<name> must be a DNS label, of at most 63 characters.');
  END IF;
  RETURN QUERY INSERT INTO environments.environments (tenant_id, environment_id, name, type, kubernetes_context)
  VALUES (tenant, environment, named, kind, context) RETURNING *;
END
$$;
COMMENT ON FUNCTION environments.create_environment IS
  'Adds an environment and returns it. Refuses with INVALID_BODY if its namespace is longer than 63 characters; a '
  'name that is taken violates environments_tenant_id_name_key. The platform service calls it for POST '
  '/v1/environments.';
REVOKE ALL ON FUNCTION environments.create_environment FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.create_environment TO plat_platform;
