CREATE OR REPLACE FUNCTION ledger.altered_logs() RETURNS TABLE(tenant_id uuid, fault text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT l.tenant_id, 'its root is not that of its tiles' FROM ledger.logs l WHERE l.root <> ledger.root_of(l.tenant_id, l.size)
   UNION ALL
  SELECT l.tenant_id, 'it has not as many entries as its size says' FROM ledger.logs l
   WHERE l.size <> (SELECT count(*) FROM ledger.entries x WHERE x.tenant_id = l.tenant_id)
   UNION ALL
  SELECT t.tenant_id, 'a tile is not that of its entries' FROM ledger.tiles t
   WHERE t.level = 0 AND t.hashes IS DISTINCT FROM (
     SELECT string_agg(sha256('\x00'::bytea || convert_to(ledger.leaf(x.kind, x.id, x.at, x.open, x.closed), 'UTF8')),
                       ''::bytea ORDER BY x.leaf_index)
       FROM ledger.entries x WHERE x.tenant_id = t.tenant_id AND x.leaf_index >= t.tile_index * 256
        AND x.leaf_index < (t.tile_index + 1) * 256)
   UNION ALL
  SELECT l.tenant_id, 'a tile is missing, or one is too many' FROM ledger.logs l
   WHERE (l.size + 255) / 256 <> (SELECT count(*) FROM ledger.tiles t WHERE t.tenant_id = l.tenant_id AND t.level = 0)
   UNION ALL
  SELECT b.tenant_id, 'a hash of a tile is not that of the tile below it' FROM ledger.tiles b
    LEFT JOIN ledger.tiles u ON u.tenant_id = b.tenant_id AND u.level = b.level + 1 AND u.tile_index = b.tile_index / 256
   WHERE length(b.hashes) = 8192
     AND ledger.fold(b.hashes) IS DISTINCT FROM substr(u.hashes, (b.tile_index % 256)::int * 32 + 1, 32)
   UNION ALL
  SELECT l.tenant_id, 'its checkpoint is not of its first entries' FROM ledger.logs l
   WHERE l.note IS NOT NULL
     AND (l.note_size > l.size
       OR NOT starts_with(l.note, ledger.checkpoint_text(l.origin, l.note_size, ledger.root_of(l.tenant_id, l.note_size))))
$$;
COMMENT ON FUNCTION ledger.altered_logs IS
  'Returns the logs whose entries, tiles, size, root and checkpoint do not fit together. Operators ask it by npm '
  'run invariants.';
REVOKE ALL ON FUNCTION ledger.altered_logs FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.altered_logs TO plat_inspector;
