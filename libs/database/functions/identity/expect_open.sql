CREATE OR REPLACE FUNCTION identity.expect_open(tenant uuid) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  closed identity.closed_tenants;
BEGIN
  SELECT * INTO closed FROM identity.closed_tenants c WHERE c.tenant_id = tenant;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  CASE closed.reason
    WHEN 'moved' THEN PERFORM tenancy.refuse('TENANT_MOVED', jsonb_build_object('apiUrl', closed.api_url));
    WHEN 'switching', 'arriving' THEN PERFORM tenancy.refuse('TENANT_MOVING');
    ELSE PERFORM tenancy.refuse('TENANT_DISABLED');
  END CASE;
END
$$;
COMMENT ON FUNCTION identity.expect_open IS
  'Refuses with TENANT_DISABLED, TENANT_MOVING or TENANT_MOVED if the tenant is not served.';
REVOKE ALL ON FUNCTION identity.expect_open FROM PUBLIC;
