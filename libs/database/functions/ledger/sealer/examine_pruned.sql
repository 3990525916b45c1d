CREATE OR REPLACE FUNCTION ledger.examine_pruned(tenant uuid, ids uuid[], times timestamptz[], OUT unsealed int, OUT unmarked int)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(*) FILTER (WHERE x.at IS NULL AND EXISTS (SELECT FROM ledger.logs) AND NOT EXISTS (
           SELECT FROM identity.closed_tenants c WHERE c.tenant_id = tenant AND c.reason <> 'disabled')),
         count(*) FILTER (WHERE x.at = g.at AND x.has_fields)
    FROM unnest(ids, times) AS g (id, at)
    LEFT JOIN LATERAL (
      SELECT n.at, n.open_salt IS NOT NULL AS has_fields FROM ledger.entries n
       WHERE n.tenant_id = tenant AND n.kind = 'audit' AND n.id = g.id AND n.part = 0 OFFSET 0) AS x ON true
$$;
COMMENT ON FUNCTION ledger.examine_pruned IS
  'Returns how many of a tenant''s rows, named by their ids and times, should have an entry and have none, and how '
  'many have an entry whose fields were not erased. audit.examine_partition calls it.';
REVOKE ALL ON FUNCTION ledger.examine_pruned FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.examine_pruned TO plat_audit_owner;
