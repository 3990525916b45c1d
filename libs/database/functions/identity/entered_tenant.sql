CREATE OR REPLACE FUNCTION identity.entered_tenant() RETURNS uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  proof  text := current_setting('plat.proof', true);
  secret bytea;
BEGIN
  IF proof <> '' THEN
    SELECT k.key INTO secret FROM identity.proof_keys k;
    IF length(proof) = 211 AND substr(proof, 148)
         = encode(sha256(secret || sha256(secret || convert_to(left(proof, 147), 'UTF8'))), 'hex') THEN
      IF substr(proof, 74, 10)::bigint >= extract(epoch FROM now()) THEN
        RETURN left(proof, 36)::uuid;
      END IF;
    END IF;
    PERFORM identity.expect_proof(proof);
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION identity.entered_tenant IS
  'Returns the tenant of the proof that the transaction has entered by, or NULL without one. Raises '
  'insufficient_privilege for a proof that does not hold. tenancy.tenant_id asks it; the check of the seal is written '
  'out, because it runs in every statement.';
REVOKE ALL ON FUNCTION identity.entered_tenant FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.entered_tenant TO plat_audit, plat_audit_owner, plat_builds, plat_builds_owner,
  plat_environments_owner, plat_ledger_owner, plat_ledger_sealer, plat_platform, plat_releases, plat_releases_owner,
  plat_reviews, plat_reviews_owner;
