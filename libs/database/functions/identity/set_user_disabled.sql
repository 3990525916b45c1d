CREATE OR REPLACE FUNCTION identity.set_user_disabled(tenant uuid, usr uuid, disable boolean)
RETURNS TABLE (tenant_id uuid, user_id uuid, username text, disabled_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
BEGIN
  PERFORM identity.lock_roles();
  UPDATE identity.users u
     SET disabled_at = CASE WHEN disable THEN coalesce(u.disabled_at, clock_timestamp()) END
   WHERE u.tenant_id = tenancy.tenant_id() AND u.user_id = usr;
  IF NOT FOUND THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such user.');
  END IF;
  IF disable THEN
    PERFORM identity.expect_grantor();
  END IF;
  RETURN QUERY SELECT u.tenant_id, u.user_id, u.username, u.disabled_at FROM identity.users u
                WHERE u.tenant_id = tenancy.tenant_id() AND u.user_id = usr;
END
$$;
COMMENT ON FUNCTION identity.set_user_disabled IS
  'Disables or enables a user of the entered tenant and returns it; a user who is disabled already keeps the time. '
  'Refuses with NOT_FOUND, and with CONFLICT if no user who can sign in could grant roles afterwards. The platform '
  'service calls it for PATCH /v1/users/{user_id}/status.';
REVOKE ALL ON FUNCTION identity.set_user_disabled FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.set_user_disabled TO plat_platform;
