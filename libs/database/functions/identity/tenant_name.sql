CREATE OR REPLACE FUNCTION identity.tenant_name(tenant uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT t.name FROM identity.tenants t WHERE t.tenant_id = tenancy.tenant_id() AND t.tenant_id = tenant $$;
COMMENT ON FUNCTION identity.tenant_name IS
  'Returns the name of the entered tenant, or NULL for another tenant''s id. environments.namespace_of calls it.';
REVOKE ALL ON FUNCTION identity.tenant_name FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.tenant_name TO plat_environments_owner;
