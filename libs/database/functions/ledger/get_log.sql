CREATE OR REPLACE FUNCTION ledger.get_log(tenant uuid)
RETURNS TABLE(origin text, size text, note text, note_keys bytea[], keys bytea[], sealed_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT l.origin, l.note_size::text, l.note, l.note_keys, l.keys, l.sealed_at FROM ledger.logs l
   WHERE l.tenant_id = tenant AND l.note IS NOT NULL
$$;
COMMENT ON FUNCTION ledger.get_log IS
  'Returns the log of the entered tenant up to its signed size, the keys that signed that size, and all of its keys, '
  'oldest first; no row before the first signature. The audit service calls it for the routes of the log.';
REVOKE ALL ON FUNCTION ledger.get_log FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.get_log TO plat_audit;
