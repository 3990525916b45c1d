CREATE OR REPLACE FUNCTION identity.set_user_subject(
  tenant uuid, usr uuid, issuer_url text, token_subject text, may_grant boolean)
RETURNS TABLE (tenant_id uuid, user_id uuid, username text, disabled_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
#variable_conflict use_column
DECLARE
  issuer uuid;
BEGIN
  PERFORM identity.lock_roles();
  IF NOT EXISTS (SELECT FROM identity.users u WHERE u.tenant_id = tenancy.tenant_id() AND u.user_id = usr) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such user.');
  END IF;
  IF NOT may_grant AND EXISTS (SELECT FROM identity.user_roles r
                                WHERE r.tenant_id = tenancy.tenant_id() AND r.user_id = usr) THEN
    PERFORM tenancy.refuse('FORBIDDEN', NULL, 'The user holds roles, which the caller is not allowed to grant.');
  END IF;
  IF usr = tenancy.user_id() THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, 
      'Callers cannot change the subject by which they sign in themselves; another administrator can.');
  END IF;
  issuer := identity.issuer_serving(issuer_url);
  DELETE FROM identity.subjects s
   WHERE s.tenant_id = tenancy.tenant_id() AND s.issuer_id = issuer AND s.user_id = usr;
  INSERT INTO identity.subjects (tenant_id, issuer_id, subject, user_id)
  VALUES (tenancy.tenant_id(), issuer, token_subject, usr);
  RETURN QUERY SELECT u.tenant_id, u.user_id, u.username, u.disabled_at FROM identity.users u
                WHERE u.tenant_id = tenancy.tenant_id() AND u.user_id = usr;
END
$$;
COMMENT ON FUNCTION identity.set_user_subject IS
  'Sets the subject by which a user of the entered tenant signs in with an issuer, in place of an earlier one of '
  'that issuer, and returns the user. A subject that is taken violates its unique constraint. Refuses with '
  'NOT_FOUND, with FORBIDDEN for a user with roles if the caller may not grant roles, with CONFLICT for the caller, '
  'and with INVALID_BODY as identity.issuer_serving does. The platform service calls it for PUT '
  '/v1/users/{user_id}/subject.';
REVOKE ALL ON FUNCTION identity.set_user_subject FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.set_user_subject TO plat_platform;
