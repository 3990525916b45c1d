CREATE OR REPLACE FUNCTION identity.is_ending(tenant uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = tenant AND c.reason = 'ending') $$;
COMMENT ON FUNCTION identity.is_ending IS
  'Returns whether the rows of the tenant are being deleted. reviews.refuse_change asks it.';
REVOKE ALL ON FUNCTION identity.is_ending FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.is_ending TO plat_reviews_owner;
