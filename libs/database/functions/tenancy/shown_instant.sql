CREATE OR REPLACE FUNCTION tenancy.shown_instant(moment timestamptz) RETURNS text
LANGUAGE sql STABLE
RETURN rtrim(rtrim(to_char(moment AT TIME ZONE INTERVAL '0', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '0'), '.') || 'Z';
COMMENT ON FUNCTION tenancy.shown_instant IS
  'Returns a moment as answers of the API show it: RFC 3339, UTC, without trailing zeros. The functions that make '
  'fields of answers call it.';
REVOKE ALL ON FUNCTION tenancy.shown_instant FROM PUBLIC;
GRANT EXECUTE ON FUNCTION tenancy.shown_instant TO plat_ledger_owner, plat_ledger_sealer, plat_reviews_owner;
