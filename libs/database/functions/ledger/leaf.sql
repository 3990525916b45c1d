CREATE OR REPLACE FUNCTION ledger.leaf(kind text, id uuid, at timestamptz, open bytea, closed bytea) RETURNS text
LANGUAGE sql STABLE
RETURN '{"at":"' || ledger.instant(at) || '","closed":"' || encode(closed, 'base64') || '","id":"' || id || '","kind":"' ||
       kind || '","open":"' || encode(open, 'base64') || '","v":1}';
COMMENT ON FUNCTION ledger.leaf IS
  'Returns an entry of a log as it is hashed: canonical JSON (RFC 8785). The functions that seal and that read '
  'entries call it.';
REVOKE ALL ON FUNCTION ledger.leaf FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.leaf TO plat_ledger_sealer;
