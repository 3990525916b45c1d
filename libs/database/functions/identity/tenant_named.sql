CREATE OR REPLACE FUNCTION identity.tenant_named(tenant_name text) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT t.tenant_id FROM identity.tenants t WHERE t.name = tenant_name $$;
COMMENT ON FUNCTION identity.tenant_named IS
  'Returns the id of the tenant of that name, or NULL if none is visible. The database job calls it before it '
  'enters a tenant.';
REVOKE ALL ON FUNCTION identity.tenant_named FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.tenant_named TO plat_environments_owner;
