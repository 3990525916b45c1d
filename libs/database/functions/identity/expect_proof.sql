CREATE OR REPLACE FUNCTION identity.expect_proof(proof text) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
DECLARE
  holds boolean := false;
BEGIN
  IF length(proof) = 211
     AND substr(proof, 148) = (SELECT identity.seal(k.key, left(proof, 147)) FROM identity.proof_keys k) THEN
    holds := substr(proof, 74, 10)::bigint >= extract(epoch FROM now());
  END IF;
  IF NOT holds THEN
    RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege',
      MESSAGE = 'the tenant was entered without a proof of its caller';
  END IF;
END
$$;
COMMENT ON FUNCTION identity.expect_proof IS
  'Raises insufficient_privilege unless identity has sealed the proof and its hour has not ended.';
REVOKE ALL ON FUNCTION identity.expect_proof FROM PUBLIC;
