CREATE OR REPLACE FUNCTION identity.revoke_role(tenant uuid, usr uuid, role uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM identity.lock_roles();
  DELETE FROM identity.user_roles ur WHERE ur.tenant_id = tenancy.tenant_id() AND ur.user_id = usr AND ur.role_id = role;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM identity.expect_grantor();
  RETURN true;
END
$$;
COMMENT ON FUNCTION identity.revoke_role IS
  'Takes a role from a user of the entered tenant; returns false if the user does not hold it. Refuses with '
  'CONFLICT if no user who can sign in could grant roles afterwards. The platform service calls it.';
REVOKE ALL ON FUNCTION identity.revoke_role FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.revoke_role TO plat_platform;
