-- An issuer may have several audiences, so that an address changes without locking anyone out.
-- Guarantees: a token is believed for any of them. The first one stays in its column, which the release before reads and writes.
-- On a live table: one column with a constant default, and a function; runs in milliseconds.

SET ROLE plat_identity_owner;

-- squawk-ignore ban-new-write-restriction -- the release before does not write the column, which then has its default
ALTER TABLE identity.issuers ADD COLUMN more_audiences text[] NOT NULL DEFAULT '{}';
-- squawk-ignore ban-new-write-restriction -- of a new column, which the release before does not write
ALTER TABLE identity.issuers ADD CONSTRAINT more_audiences_are_texts
  CHECK (array_position(more_audiences, NULL) IS NULL AND array_position(more_audiences, '') IS NULL) NOT VALID;
COMMENT ON TABLE identity.issuers IS
  'One row an OIDC issuer whose tokens are believed, unless it has disabled_at. An issuer serves one tenant, or names the '
  'tenant of a token by a claim (organization_claim). A token must be meant for audience or one of more_audiences. Without '
  'row-level security: it is read before a tenant is known, by definer functions alone.';

CREATE OR REPLACE FUNCTION identity.known_issuers()
RETURNS TABLE (url text, audience text, organization_claim text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  -- The release before keeps the last row of an issuer.
  SELECT i.url, a.audience, i.organization_claim
    FROM identity.issuers i, unnest(i.more_audiences || i.audience) WITH ORDINALITY AS a (audience, place)
   WHERE i.disabled_at IS NULL ORDER BY i.url, a.place
$$;
COMMENT ON FUNCTION identity.known_issuers IS
  'Returns the issuers whose keys may be fetched, with the claim that names a tenant, a row for each audience, the first one '
  'last; a disabled issuer is none of them. Every service asks it to check tokens.';

RESET ROLE;
