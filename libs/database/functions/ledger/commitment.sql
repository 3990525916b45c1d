CREATE OR REPLACE FUNCTION ledger.commitment(salt bytea, fields text) RETURNS bytea
LANGUAGE sql STABLE
RETURN sha256(salt || convert_to(fields, 'UTF8'));
COMMENT ON FUNCTION ledger.commitment IS
  'Returns the SHA-256 of a salt and the fields after it. The functions that seal call it.';
REVOKE ALL ON FUNCTION ledger.commitment FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.commitment TO plat_ledger_sealer;
