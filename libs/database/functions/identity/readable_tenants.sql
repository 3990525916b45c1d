CREATE OR REPLACE FUNCTION identity.readable_tenants(tenant uuid) RETURNS uuid[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT CASE WHEN tenancy.across() THEN ARRAY(SELECT t.tenant_id FROM identity.tenants t) ELSE ARRAY[tenant] END
$$;
COMMENT ON FUNCTION identity.readable_tenants IS
  'Returns the tenants whose rows a read may show: the given one, or all of them in a transaction that reads across '
  'tenants. Statements name them in their key, so that each tenant''s own index serves.';
REVOKE ALL ON FUNCTION identity.readable_tenants FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.readable_tenants TO plat_audit_owner, plat_builds_owner, plat_environments_owner,
  plat_releases_owner, plat_reviews_owner;
