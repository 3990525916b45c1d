CREATE OR REPLACE FUNCTION environments.namespace_of(tenant uuid, named text) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
RETURN identity.tenant_name(tenant) || '-' || named;
COMMENT ON FUNCTION environments.namespace_of IS
  'Returns <tenant>-<name>: the namespace of an environment and its label in the services zone; NULL for a tenant '
  'that is not entered. The platform service calls it for PUT and DELETE '
  '/v1/environments/{environment_id}/hostname; environments.create_environment and environments.request_deletion '
  'call it too.';
REVOKE ALL ON FUNCTION environments.namespace_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.namespace_of TO plat_platform;
