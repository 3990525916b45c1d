CREATE OR REPLACE FUNCTION ledger.prove_entry(tenant uuid, wanted bigint, event uuid, review uuid, tree_size bigint)
RETURNS TABLE(leaf_index text, leaf text, salt bytea, fields text, size text, note text,
              levels smallint[], tile_indexes text[], lengths int[], tiles bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT x.leaf_index::text, ledger.leaf(x.kind, x.id, x.at, x.open, x.closed),
         CASE WHEN d.fields IS NOT NULL THEN x.open_salt END, d.fields, s.size::text,
         CASE WHEN tree_size IS NULL THEN s.note END, p.levels, p.tile_indexes, p.lengths, p.tiles
    FROM (SELECT coalesce(tree_size, l.note_size) AS size, l.note, l.note_size FROM ledger.logs l
           WHERE l.tenant_id = tenant AND l.note IS NOT NULL) AS s
   CROSS JOIN LATERAL (
     (SELECT n.* FROM ledger.entries n WHERE n.tenant_id = tenant AND n.leaf_index = wanted)
     UNION ALL
     (SELECT n.* FROM ledger.entries n WHERE n.tenant_id = tenant AND n.kind = 'audit' AND n.id = event AND n.part = 0)
     UNION ALL
     (SELECT n.* FROM ledger.entries n WHERE n.tenant_id = tenant AND n.kind = 'landing' AND n.id = review
         AND n.leaf_index < s.size ORDER BY n.part DESC LIMIT 1)) AS x
   CROSS JOIN LATERAL ledger.disclosed(x::ledger.entries) AS d
   CROSS JOIN LATERAL (SELECT array_agg(t.level) AS levels, array_agg(t.tile_index) AS tile_indexes,
                              array_agg(length(t.hashes)) AS lengths, string_agg(t.hashes, ''::bytea) AS tiles
                         FROM ledger.tiles_on_path(tenant, x.leaf_index, s.size) t) AS p
   WHERE x.leaf_index < s.size AND s.size <= s.note_size
$$;
COMMENT ON FUNCTION ledger.prove_entry IS
  'Returns an entry of the entered tenant''s log, named by its index, its row of the trail or its review, with the '
  'tiles of its proof in the tree of a size, and, for the signed size, the checkpoint; no row if it is not in that '
  'tree, or the tree is larger than the signed one. The audit service calls it for GET '
  '/v1/audit-log/inclusion-proof, the reviews service for a receipt.';
REVOKE ALL ON FUNCTION ledger.prove_entry FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.prove_entry TO plat_audit, plat_reviews;
