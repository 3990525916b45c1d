CREATE OR REPLACE FUNCTION ledger.page_entries(tenant uuid, first bigint, of_kind text, page int)
RETURNS TABLE(leaf_index text, leaf text, salt bytea, fields text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT x.leaf_index::text, ledger.leaf(x.kind, x.id, x.at, x.open, x.closed),
         CASE WHEN d.fields IS NOT NULL THEN x.open_salt END, d.fields
    FROM ((SELECT n.* FROM ledger.entries n
            WHERE of_kind IS NULL AND n.tenant_id = tenant AND n.leaf_index >= first
              AND n.leaf_index < (SELECT l.note_size FROM ledger.logs l WHERE l.tenant_id = tenant)
            ORDER BY n.leaf_index LIMIT page)
          UNION ALL
          -- Compared as pairs: an equal kind would leave the order of the primary key as good, with a filter on it.
          (SELECT n.* FROM ledger.entries n
            WHERE of_kind IS NOT NULL AND n.tenant_id = tenant AND (n.kind, n.leaf_index) >= (of_kind, first)
              AND (n.kind, n.leaf_index) < (of_kind, (SELECT l.note_size FROM ledger.logs l WHERE l.tenant_id = tenant))
            ORDER BY n.kind, n.leaf_index LIMIT page)) AS x
   CROSS JOIN LATERAL ledger.disclosed(x::ledger.entries) AS d
   ORDER BY x.leaf_index
$$;
COMMENT ON FUNCTION ledger.page_entries IS
  'Returns entries of the entered tenant''s log from an index on, below the signed size, of one kind or of each, with '
  'the fields that callers may see and their salt; both NULL if they were erased. Each selection is served by an '
  'index. The audit service calls it for GET /v1/audit-log/entries.';
REVOKE ALL ON FUNCTION ledger.page_entries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.page_entries TO plat_audit;
