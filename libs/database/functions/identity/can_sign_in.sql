CREATE OR REPLACE FUNCTION identity.can_sign_in(usr uuid) RETURNS boolean
LANGUAGE sql STABLE
AS $$
  SELECT EXISTS (
    SELECT FROM identity.subjects s JOIN identity.issuers i USING (issuer_id)
      JOIN identity.users u ON u.tenant_id = s.tenant_id AND u.user_id = s.user_id
     WHERE s.tenant_id = tenancy.tenant_id() AND s.user_id = usr AND u.disabled_at IS NULL AND i.disabled_at IS NULL
       AND (i.tenant_id = tenancy.tenant_id() OR EXISTS (
             SELECT FROM identity.organizations o
              WHERE o.issuer_id = i.issuer_id AND o.tenant_id = tenancy.tenant_id() AND o.disabled_at IS NULL)))
$$;
COMMENT ON FUNCTION identity.can_sign_in IS
  'Returns whether a user of the entered tenant is not disabled and has a subject of an issuer that serves the '
  'tenant. identity.expect_grantor calls it.';
REVOKE ALL ON FUNCTION identity.can_sign_in FROM PUBLIC;
