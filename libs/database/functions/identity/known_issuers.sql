CREATE OR REPLACE FUNCTION identity.known_issuers()
RETURNS TABLE (url text, audience text, organization_claim text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT i.url, a.audience, i.organization_claim
    FROM identity.issuers i, unnest(i.more_audiences || i.audience) WITH ORDINALITY AS a (audience, place)
   WHERE i.disabled_at IS NULL ORDER BY i.url, a.place
$$;
COMMENT ON FUNCTION identity.known_issuers IS
  'Returns the issuers whose keys may be fetched, with the claim that names a tenant. It returns a row for each '
  'audience, the first one last, and none for a disabled issuer. Every service asks it to check tokens.';
REVOKE ALL ON FUNCTION identity.known_issuers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.known_issuers TO plat_audit, plat_builds, plat_platform, plat_releases,
  plat_reviews;
