CREATE OR REPLACE FUNCTION identity.expect_grantor() RETURNS void
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM identity.user_roles ur JOIN identity.role_permissions p USING (tenant_id, role_id)
     WHERE ur.tenant_id = tenancy.tenant_id() AND identity.permits(p, 'POST', '/v1/users/{user_id}/roles')
       AND identity.can_sign_in(ur.user_id)) THEN
    PERFORM tenancy.refuse('CONFLICT', NULL, 'No user could grant roles afterwards.');
  END IF;
END
$$;
COMMENT ON FUNCTION identity.expect_grantor IS
  'Refuses with CONFLICT if no user of the entered tenant who can sign in may grant roles. identity.revoke_role and '
  'identity.set_user_disabled call it after their change, under the lock of the tenant''s roles.';
REVOKE ALL ON FUNCTION identity.expect_grantor FROM PUBLIC;
