CREATE OR REPLACE FUNCTION ledger.erasure_fields(entries int8multirange, reason text) RETURNS text
LANGUAGE sql STABLE
RETURN '{"entries":"' || (
  SELECT string_agg(lower(r.stretch) || CASE WHEN upper(r.stretch) - lower(r.stretch) > 1
                                          THEN '-' || upper(r.stretch) - 1 ELSE '' END, ',' ORDER BY lower(r.stretch))
    FROM unnest(entries) AS r (stretch)) || '","reason":"' || reason || '"}';
COMMENT ON FUNCTION ledger.erasure_fields IS
  'Returns what the entry of an erasure commits to, as canonical JSON. The functions that seal and that read entries '
  'call it.';
REVOKE ALL ON FUNCTION ledger.erasure_fields FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.erasure_fields TO plat_ledger_sealer;
