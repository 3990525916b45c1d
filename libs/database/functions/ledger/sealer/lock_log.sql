CREATE OR REPLACE FUNCTION ledger.lock_log(tenant uuid) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  PERFORM FROM ledger.logs l WHERE l.tenant_id = tenant FOR UPDATE;
  IF NOT FOUND THEN
    -- A sealer may be adding the log. This waits for the sealers at work, and later sealers wait until the transaction ends.
    LOCK TABLE ledger.logs IN SHARE MODE;
    PERFORM FROM ledger.logs l WHERE l.tenant_id = tenant FOR UPDATE;
  END IF;
END
$$;
COMMENT ON FUNCTION ledger.lock_log IS
  'Waits for the lock of a tenant''s log, and holds it until the transaction ends, also if there is no log yet. The '
  'functions that erase call it.';
REVOKE ALL ON FUNCTION ledger.lock_log FROM PUBLIC;
