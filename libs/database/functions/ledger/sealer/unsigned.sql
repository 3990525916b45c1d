CREATE OR REPLACE FUNCTION ledger.unsigned(signing_keys bytea[]) RETURNS TABLE(tenant_id uuid, origin text, size text, root bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT l.tenant_id, l.origin, l.size::text, l.root FROM ledger.logs l
   WHERE l.size > 0 AND signing_keys <@ l.keys
     AND (l.note_size IS DISTINCT FROM l.size OR l.note_keys IS DISTINCT FROM signing_keys)
   ORDER BY l.tenant_id LIMIT 1000
$$;
COMMENT ON FUNCTION ledger.unsigned IS
  'Returns the logs whose stored size has no checkpoint signed by these keys, with the root that is stored. The '
  'audit service signs it.';
REVOKE ALL ON FUNCTION ledger.unsigned FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.unsigned TO plat_audit;
