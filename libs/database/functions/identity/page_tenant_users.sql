CREATE OR REPLACE FUNCTION identity.page_tenant_users(tenant uuid, after_name text, after_id uuid, page int)
RETURNS TABLE (tenant_id uuid, user_id uuid, username text, disabled_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM identity.expect_caller();
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.tenant_id, e.user_id, e.username, e.disabled_at FROM identity.users e',
    CASE WHEN after_id IS NOT NULL THEN ' AND (e.username, e.user_id) > ($2, $3)' ELSE '' END,
    'e.username, e.user_id', '$4')
    USING tenancy.tenant_id(), after_name, after_id, page;
END
$$;
COMMENT ON FUNCTION identity.page_tenant_users IS
  'Returns one page of the visible users by name, after the given place, with when each was disabled. The platform '
  'service calls it for GET /v1/users.';
REVOKE ALL ON FUNCTION identity.page_tenant_users FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.page_tenant_users TO plat_platform;
