CREATE OR REPLACE FUNCTION identity.expect_caller() RETURNS void
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  IF substr(current_setting('plat.proof', true), 84, 64) = repeat('0', 64) THEN
    RAISE EXCEPTION USING ERRCODE = 'insufficient_privilege', MESSAGE = 'the proof is that of a deletion, and of no caller';
  END IF;
END
$$;
COMMENT ON FUNCTION identity.expect_caller IS
  'Raises insufficient_privilege if the transaction has entered by the proof of a deletion, whose place for the '
  'digest of a caller has zeros (environments.claim_deletion_job). The functions that change or list users, roles and '
  'environments call it, so that the proof of a deletion permits nothing else.';

REVOKE ALL ON FUNCTION identity.expect_caller FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.expect_caller TO plat_environments_owner;
