CREATE OR REPLACE FUNCTION identity.grant_role(tenant uuid, usr uuid, role uuid)
RETURNS TABLE (role_id uuid, name text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM identity.lock_roles();
  INSERT INTO identity.user_roles (tenant_id, user_id, role_id) VALUES (tenancy.tenant_id(), usr, role);
  PERFORM identity.expect_user_within_caps(tenancy.tenant_id(), usr);
  RETURN QUERY SELECT r.role_id, r.name FROM identity.roles r WHERE r.tenant_id = tenancy.tenant_id() AND r.role_id = role;
END
$$;
COMMENT ON FUNCTION identity.grant_role IS
  'Grants a role to a user of the entered tenant and returns the role. Foreign keys refuse a user or role of another '
  'tenant, and the primary key refuses a role that the user holds already. It refuses with CONFLICT beyond the caps. '
  'The platform service calls it for POST /v1/users/{user_id}/roles.';
REVOKE ALL ON FUNCTION identity.grant_role FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.grant_role TO plat_platform;
