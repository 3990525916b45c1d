CREATE OR REPLACE FUNCTION identity.is_open(tenant uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT NOT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = tenant) $$;
COMMENT ON FUNCTION identity.is_open IS
  'Returns whether the tenant is served. environments.claim_deletion asks it, so that no worker acts for a tenant '
  'that is not served.';
REVOKE ALL ON FUNCTION identity.is_open FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.is_open TO plat_environments_owner;
