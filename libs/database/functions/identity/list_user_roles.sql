CREATE OR REPLACE FUNCTION identity.list_user_roles(tenant uuid, usr uuid) RETURNS TABLE (role_id uuid, name text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM identity.expect_caller();
  IF NOT EXISTS (SELECT FROM identity.users u
                  WHERE u.tenant_id = ANY (identity.readable_tenants(tenancy.tenant_id())) AND u.user_id = usr) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such user.');
  END IF;
  RETURN QUERY
    SELECT r.role_id, r.name FROM identity.user_roles ur JOIN identity.roles r USING (tenant_id, role_id)
     WHERE ur.tenant_id = ANY (identity.readable_tenants(tenancy.tenant_id())) AND ur.user_id = usr ORDER BY r.name, r.role_id;
END
$$;
COMMENT ON FUNCTION identity.list_user_roles IS
  'Returns the roles that a visible user holds, by name. Refuses with NOT_FOUND if no such user is visible. The '
  'platform service calls it for GET /v1/users/{user_id}/roles.';
REVOKE ALL ON FUNCTION identity.list_user_roles FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.list_user_roles TO plat_platform;
