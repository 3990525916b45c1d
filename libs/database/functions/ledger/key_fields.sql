CREATE OR REPLACE FUNCTION ledger.key_fields(public_key bytea) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN '{"algorithm":"Ed25519","publicKey":"' || encode(public_key, 'base64') || '"}';
COMMENT ON FUNCTION ledger.key_fields IS
  'Returns what the entry of a key commits to, as canonical JSON. The functions that seal and that read entries call '
  'it.';
REVOKE ALL ON FUNCTION ledger.key_fields FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.key_fields TO plat_ledger_sealer;
