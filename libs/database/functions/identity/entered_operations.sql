CREATE OR REPLACE FUNCTION identity.entered_operations() RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  proof text := current_setting('plat.proof', true);
BEGIN
  IF proof <> '' THEN
    PERFORM identity.expect_proof(proof);
    -- The zeros are those of a deletion, which is of its own tenant.
    RETURN substr(proof, 73, 1) = '1' AND substr(proof, 84, 64) <> repeat('0', 64);
  END IF;
  RETURN false;
END
$$;
COMMENT ON FUNCTION identity.entered_operations IS
  'Returns whether the proof that the transaction has entered by is of the operations tenant; false without one. '
  'Raises insufficient_privilege for a proof that does not hold. tenancy.across asks it.';
REVOKE ALL ON FUNCTION identity.entered_operations FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.entered_operations TO plat_audit, plat_audit_owner, plat_builds,
  plat_builds_owner, plat_environments_owner, plat_ledger_owner, plat_ledger_sealer, plat_platform, plat_releases,
  plat_releases_owner, plat_reviews, plat_reviews_owner;
