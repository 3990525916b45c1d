CREATE OR REPLACE FUNCTION identity.caller_of(proof text, issuer_url text, token_subject text, organization text)
RETURNS TABLE (tenant_id uuid, user_id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM identity.expect_proof(proof);
  IF substr(proof, 84, 64) <> identity.caller_digest(issuer_url, token_subject, organization) THEN
    RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'the proof is of another caller';
  END IF;
  PERFORM identity.expect_admitted(left(proof, 36)::uuid, substr(proof, 37, 36)::uuid, issuer_url, organization);
  RETURN QUERY SELECT left(proof, 36)::uuid, substr(proof, 37, 36)::uuid;
END
$$;
COMMENT ON FUNCTION identity.caller_of IS
  'Returns tenant and user of a proof. Raises insufficient_privilege for a proof that does not hold, and for one of '
  'another caller than the named issuer, subject and organisation; refuses a caller who is not admitted at this '
  'moment (identity.expect_admitted). audit.record_requests calls it for each row, so that a caller who was disabled '
  'meanwhile gets no row.';
REVOKE ALL ON FUNCTION identity.caller_of FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.caller_of TO plat_audit_owner;
