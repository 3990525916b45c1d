-- What reads a tenant's sealed log.
-- Guarantees: a caller reads the log of the tenant that it entered, up to the signed size, with the fields that other routes
-- show it and the salts of those alone.
-- Functions only; runs in milliseconds.

SET ROLE plat_ledger_owner;

CREATE FUNCTION ledger.get_log(tenant uuid)
RETURNS TABLE(origin text, size text, note text, note_keys bytea[], keys bytea[], sealed_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT l.origin, l.note_size::text, l.note, l.note_keys, l.keys, l.sealed_at FROM ledger.logs l
   WHERE l.tenant_id = tenant AND l.note IS NOT NULL
$$;
COMMENT ON FUNCTION ledger.get_log IS
  'Returns the log of the entered tenant as it is signed, the keys that have signed it, and all of its keys, oldest first; no row '
  'before it is signed for the first time. The audit service calls it for the routes of the log.';

CREATE FUNCTION ledger.disclosed(x ledger.entries) RETURNS TABLE(fields text)
LANGUAGE sql STABLE
AS $$
  SELECT CASE
    WHEN (x).open_salt IS NULL THEN NULL
    WHEN (x).kind = 'audit' THEN (
      SELECT ledger.audit_fields(e.tenant_id, e.audit_event_id, e.erun_user_id, e.external_user_id, e.external_issuer_id,
               e.external_org_id, e.type, e.api_method, e.api_path, e.mcp_tool, e.cli_command, e.created_at)
        FROM audit.audit_events e
       WHERE e.tenant_id = (x).tenant_id AND e.created_at = (x).at AND e.audit_event_id = (x).id)
    WHEN (x).kind = 'landing' THEN (
      SELECT l.fields FROM ledger.landings((x).tenant_id) l WHERE l.review_id = (x).id AND l.part = (x).part)
    WHEN (x).kind = 'key' THEN ledger.key_fields((x).public_key)
    ELSE (
      SELECT ledger.erasure_fields(r.entries, r.reason) FROM ledger.erasures r
       WHERE r.tenant_id = (x).tenant_id AND r.erasure_id = (x).id)
  END
  -- Keeps the fields from being made once for each place that names them.
  OFFSET 0
$$;
COMMENT ON FUNCTION ledger.disclosed IS
  'Returns the fields that an entry commits to and that callers may see, as canonical JSON; NULL if they were erased or are '
  'gone. What reads entries calls it.';

CREATE FUNCTION ledger.page_entries(tenant uuid, first bigint, of_kind text, page int)
RETURNS TABLE(leaf_index text, leaf text, salt bytea, fields text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT x.leaf_index::text, ledger.leaf(x.kind, x.id, x.at, x.open, x.closed),
         CASE WHEN d.fields IS NOT NULL THEN x.open_salt END, d.fields
    FROM (SELECT n.* FROM ledger.entries n
           WHERE n.tenant_id = tenant AND n.leaf_index >= first
             AND n.leaf_index < (SELECT l.note_size FROM ledger.logs l WHERE l.tenant_id = tenant)
             AND (of_kind IS NULL OR n.kind = of_kind)
           ORDER BY n.leaf_index LIMIT page) AS x
   CROSS JOIN LATERAL ledger.disclosed(x::ledger.entries) AS d
   ORDER BY x.leaf_index
$$;
COMMENT ON FUNCTION ledger.page_entries IS
  'Returns entries of the entered tenant''s log from an index on, below the signed size, of one kind or of each, with the fields '
  'that callers may see and their salt; both NULL if they were erased. The audit service calls it for GET /v1/audit-log/entries.';

CREATE FUNCTION ledger.get_tile(tenant uuid, wanted_level int, wanted_index bigint) RETURNS TABLE(hashes bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT t.hashes FROM ledger.tiles t
   WHERE t.tenant_id = tenant AND t.level = wanted_level AND t.tile_index = wanted_index
$$;
COMMENT ON FUNCTION ledger.get_tile IS
  'Returns a tile of the entered tenant''s log, if it exists. The audit service calls it for GET /v1/audit-log/tile.';

CREATE FUNCTION ledger.tiles_on_path(tenant uuid, leaf bigint, tree_size bigint)
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
  'Returns the tiles of the entered tenant''s log that a proof about an entry in a tree of a size needs: on the way from the '
  'entry to the root, and at the right edge of the tree. What proves calls it.';

CREATE FUNCTION ledger.prove_entry(tenant uuid, wanted bigint, event uuid, review uuid, tree_size bigint)
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
  'Returns an entry of the entered tenant''s log, named by its index, its row of the trail or its review, with the tiles of its '
  'proof in the tree of a size, and, for the signed size, the checkpoint; no row if it is not in that tree, or the tree is larger '
  'than the signed one. The audit service calls it for GET /v1/audit-log/inclusion-proof, the reviews service for a receipt.';

REVOKE ALL ON FUNCTION ledger.get_log(uuid), ledger.page_entries(uuid, bigint, text, int),
  ledger.get_tile(uuid, int, bigint), ledger.tiles_on_path(uuid, bigint, bigint),
  ledger.prove_entry(uuid, bigint, uuid, uuid, bigint), ledger.disclosed(ledger.entries) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.get_log(uuid), ledger.page_entries(uuid, bigint, text, int),
  ledger.get_tile(uuid, int, bigint), ledger.tiles_on_path(uuid, bigint, bigint),
  ledger.prove_entry(uuid, bigint, uuid, uuid, bigint) TO plat_audit;
GRANT EXECUTE ON FUNCTION ledger.prove_entry(uuid, bigint, uuid, uuid, bigint) TO plat_reviews;
RESET ROLE;
