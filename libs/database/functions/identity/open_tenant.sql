CREATE OR REPLACE FUNCTION identity.open_tenant() RETURNS uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  tenant uuid := identity.entered_tenant();
BEGIN
  PERFORM identity.expect_open(tenant);
  RETURN tenant;
END
$$;
COMMENT ON FUNCTION identity.open_tenant IS
  'Returns the tenant that the transaction has entered, or NULL. Refuses as identity.expect_open does. '
  'tenancy.enter_as asks it.';
REVOKE ALL ON FUNCTION identity.open_tenant FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.open_tenant TO plat_audit, plat_audit_owner, plat_builds, plat_builds_owner,
  plat_environments_owner, plat_ledger_owner, plat_ledger_sealer, plat_platform, plat_releases, plat_releases_owner,
  plat_reviews, plat_reviews_owner;
