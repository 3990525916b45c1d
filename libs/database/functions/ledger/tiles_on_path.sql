CREATE OR REPLACE FUNCTION ledger.tiles_on_path(tenant uuid, leaf bigint, tree_size bigint)
RETURNS TABLE(level smallint, tile_index text, hashes bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH RECURSIVE up AS (
    SELECT 0::smallint AS level, leaf AS leaf, tree_size AS size
    UNION ALL
    SELECT (up.level + 1)::smallint, up.leaf / 256, up.size / 256 FROM up WHERE up.size >= 256)
  -- One look by key for each level: a join might read all tiles instead.
  SELECT found.* FROM up CROSS JOIN LATERAL (
    SELECT t.level, t.tile_index::text, t.hashes FROM ledger.tiles t
     WHERE t.tenant_id = tenant AND t.level = up.level AND t.tile_index IN (up.leaf / 256, up.size / 256)
    OFFSET 0) AS found
$$;
COMMENT ON FUNCTION ledger.tiles_on_path IS
  'Returns the tiles of the entered tenant''s log that a proof about an entry in a tree of a size needs: on the way '
  'from the entry to the root, and at the right edge of the tree. The functions that prove call it.';
REVOKE ALL ON FUNCTION ledger.tiles_on_path FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.tiles_on_path TO plat_audit;
