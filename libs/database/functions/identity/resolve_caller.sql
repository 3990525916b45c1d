CREATE OR REPLACE FUNCTION identity.resolve_caller(issuer_url text, token_subject text, organization text)
RETURNS TABLE (tenant_id uuid, tenant_kind text, user_id uuid, username text, roles text[], permissions jsonb,
               proof text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM identity.issuers i WHERE i.url = issuer_url AND i.disabled_at IS NOT NULL) THEN
    PERFORM tenancy.refuse('UNAUTHENTICATED');
  END IF;
  FOR tenant_id, tenant_kind, user_id, username, roles, permissions IN
    SELECT * FROM identity.resolve(issuer_url, token_subject, organization)
  LOOP
    IF user_id IS NULL THEN
      PERFORM identity.expect_open(tenant_id);
    ELSE
      PERFORM identity.expect_admitted(tenant_id, user_id, issuer_url, organization);
      proof := identity.issue_proof(tenant_id, user_id,
                                    identity.caller_digest(issuer_url, token_subject, organization));
    END IF;
    RETURN NEXT;
  END LOOP;
END
$$;
COMMENT ON FUNCTION identity.resolve_caller IS
  'Returns what identity.resolve returns, with a proof of the caller if the subject is enrolled. Refuses a caller '
  'who is not admitted, as identity.expect_admitted does. Every service calls it for the caller of a request.';
REVOKE ALL ON FUNCTION identity.resolve_caller FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.resolve_caller TO plat_audit, plat_builds, plat_platform, plat_releases,
  plat_reviews;
