CREATE OR REPLACE FUNCTION identity.issuer_serving(issuer_url text) RETURNS uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  serving uuid[] := ARRAY(
    SELECT i.issuer_id FROM identity.issuers i
     WHERE (issuer_url IS NULL OR i.url = issuer_url) AND i.disabled_at IS NULL
       AND (i.tenant_id = tenancy.tenant_id() OR EXISTS (
             SELECT FROM identity.organizations o
              WHERE o.issuer_id = i.issuer_id AND o.tenant_id = tenancy.tenant_id() AND o.disabled_at IS NULL)));
BEGIN
  IF cardinality(serving) <> 1 THEN
    PERFORM tenancy.refuse('INVALID_BODY', '{"field": "issuer"}',
      CASE WHEN issuer_url IS NULL THEN 'issuer must be named: not exactly one serves the tenant.'
           ELSE 'issuer must be one that serves the tenant.' END);
  END IF;
  RETURN serving[1];
END
$$;
COMMENT ON FUNCTION identity.issuer_serving IS
  'Returns the issuer of that URL that serves the entered tenant or, without a URL, the only one that does; one '
  'that is disabled does not. Refuses with INVALID_BODY if there is not exactly one. identity.create_user calls it.';
REVOKE ALL ON FUNCTION identity.issuer_serving FROM PUBLIC;
