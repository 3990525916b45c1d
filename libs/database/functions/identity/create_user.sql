CREATE OR REPLACE FUNCTION identity.create_user(tenant uuid, usr uuid, named text, issuer_url text, token_subject text,
                                                role_ids uuid[])
RETURNS TABLE (tenant_id uuid, user_id uuid, username text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM identity.lock_roles();
  INSERT INTO identity.users (tenant_id, user_id, username) VALUES (tenancy.tenant_id(), usr, named);
  IF token_subject IS NOT NULL THEN
    INSERT INTO identity.subjects (tenant_id, issuer_id, subject, user_id)
    VALUES (tenancy.tenant_id(), identity.issuer_serving(issuer_url), token_subject, usr);
  END IF;
  INSERT INTO identity.user_roles (tenant_id, user_id, role_id)
  SELECT DISTINCT tenancy.tenant_id(), usr, r FROM unnest(role_ids) AS r;
  PERFORM identity.expect_user_within_caps(tenancy.tenant_id(), usr);
  RETURN QUERY SELECT tenancy.tenant_id(), usr, named;
END
$$;
COMMENT ON FUNCTION identity.create_user IS
  'Adds a user with roles to the entered tenant and returns it; with a subject, the user can sign in. A name or '
  'subject that is taken violates its unique constraint, a role of another tenant its foreign key; refuses with '
  'INVALID_BODY as identity.issuer_serving does, and with CONFLICT beyond the caps. The platform service calls it '
  'for POST /v1/users.';
REVOKE ALL ON FUNCTION identity.create_user FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.create_user TO plat_platform;
