CREATE OR REPLACE FUNCTION identity.expect_admitted(tenant uuid, usr uuid, issuer_url text, organization text) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  believed boolean;
  served   uuid;
  disabled timestamptz;
BEGIN
  SELECT i.disabled_at IS NULL, coalesce(i.tenant_id, CASE WHEN o.disabled_at IS NULL THEN o.tenant_id END)
    INTO believed, served
    FROM identity.issuers i
    LEFT JOIN identity.organizations o ON o.issuer_id = i.issuer_id AND o.organization_id = organization
   WHERE i.url = issuer_url;
  IF believed IS NOT TRUE THEN
    PERFORM tenancy.refuse('UNAUTHENTICATED');
  ELSIF served IS DISTINCT FROM tenant THEN
    PERFORM tenancy.refuse('TENANT_UNRESOLVED');
  END IF;
  PERFORM identity.expect_open(tenant);
  SELECT u.disabled_at INTO disabled FROM identity.users u WHERE u.tenant_id = tenant AND u.user_id = usr;
  IF NOT FOUND THEN
    PERFORM tenancy.refuse('NOT_ENROLLED');
  ELSIF disabled IS NOT NULL THEN
    PERFORM tenancy.refuse('USER_DISABLED');
  END IF;
END
$$;
COMMENT ON FUNCTION identity.expect_admitted IS
  'Refuses with UNAUTHENTICATED unless the issuer is believed, with TENANT_UNRESOLVED unless it serves the tenant '
  'for that organisation, as identity.expect_open does, with NOT_ENROLLED if the user is gone and with '
  'USER_DISABLED if disabled. identity.caller_of and identity.resolve_caller call it.';
REVOKE ALL ON FUNCTION identity.expect_admitted FROM PUBLIC;
