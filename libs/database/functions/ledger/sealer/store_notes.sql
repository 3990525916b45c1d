CREATE OR REPLACE FUNCTION ledger.store_notes(tenants uuid[], sizes bigint[], roots bytea[], signed text[], signing_keys bytea[])
RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  stored int;
BEGIN
  WITH given AS (
    SELECT * FROM unnest(tenants, sizes, roots, signed) AS g (tenant_id, size, root, note)),
  -- If another transaction holds the lock, the log grows or gets the same note from it, so this one does not wait.
  held AS MATERIALIZED (
    SELECT l.tenant_id FROM ledger.logs l JOIN given g USING (tenant_id, size, root) FOR UPDATE OF l SKIP LOCKED)
  UPDATE ledger.logs l SET note = g.note, note_size = g.size, note_keys = signing_keys, unsigned_since = NULL
    FROM held h JOIN given g USING (tenant_id)
   WHERE l.tenant_id = h.tenant_id AND l.size = g.size AND l.root = g.root
     AND starts_with(g.note, ledger.checkpoint_text(l.origin, l.size, l.root));
  GET DIAGNOSTICS stored = ROW_COUNT;
  RETURN stored;
END
$$;
COMMENT ON FUNCTION ledger.store_notes IS
  'Stores each signed checkpoint whose text names the stored size and root of its log. Otherwise the log has grown, '
  'and is signed again. Signatures are not verified. Returns how many it has stored. The audit service calls it.';
REVOKE ALL ON FUNCTION ledger.store_notes FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.store_notes TO plat_audit;
