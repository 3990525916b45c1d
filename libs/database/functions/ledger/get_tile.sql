CREATE OR REPLACE FUNCTION ledger.get_tile(tenant uuid, wanted_level int, wanted_index bigint) RETURNS TABLE(hashes bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT t.hashes FROM ledger.tiles t
   WHERE t.tenant_id = tenant AND t.level = wanted_level AND t.tile_index = wanted_index
$$;
COMMENT ON FUNCTION ledger.get_tile IS
  'Returns a tile of the entered tenant''s log, if it exists. The audit service calls it for GET '
  '/v1/audit-log/tile.';
REVOKE ALL ON FUNCTION ledger.get_tile FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.get_tile TO plat_audit;
