CREATE OR REPLACE FUNCTION identity.entered_user() RETURNS uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  proof text := current_setting('plat.proof', true);
BEGIN
  IF proof <> '' THEN
    PERFORM identity.expect_proof(proof);
    RETURN substr(proof, 37, 36)::uuid;
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION identity.entered_user IS
  'Returns the user of the proof that the transaction has entered by, or NULL without one. Raises '
  'insufficient_privilege for a proof that does not hold. tenancy.user_id asks it.';
REVOKE ALL ON FUNCTION identity.entered_user FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.entered_user TO plat_audit, plat_audit_owner, plat_builds, plat_builds_owner,
  plat_environments_owner, plat_platform, plat_releases, plat_releases_owner, plat_reviews, plat_reviews_owner;
