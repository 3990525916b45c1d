CREATE OR REPLACE FUNCTION ledger.instant(moment timestamptz) RETURNS text
LANGUAGE sql STABLE
RETURN to_char(moment AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
COMMENT ON FUNCTION ledger.instant IS
  'Returns a moment in RFC 3339, UTC, with six digits of its second. ledger.leaf calls it.';
REVOKE ALL ON FUNCTION ledger.instant FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.instant TO plat_ledger_sealer;
