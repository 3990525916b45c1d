CREATE OR REPLACE FUNCTION ledger.altered_entries() RETURNS TABLE(tenant_id uuid, leaf_index bigint, fault text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT x.tenant_id, x.leaf_index,
         CASE WHEN e.audit_event_id IS NULL THEN 'its row is gone' ELSE 'its row is not what was sealed' END
    FROM ledger.entries x
    LEFT JOIN audit.audit_events e
      ON e.tenant_id = x.tenant_id AND e.created_at = x.at AND e.audit_event_id = x.id
   WHERE x.kind = 'audit' AND x.open_salt IS NOT NULL
     AND (e.audit_event_id IS NULL
       OR x.open <> ledger.open_of(e, x.open_salt)
       OR x.closed <> ledger.commitment(x.closed_salt, ledger.hidden_audit_fields(e)))
   UNION ALL
  SELECT x.tenant_id, x.leaf_index,
         CASE WHEN l.review_id IS NULL THEN 'its landing is gone' ELSE 'its landing is not what was sealed' END
    FROM ledger.logs g
   CROSS JOIN LATERAL (SELECT * FROM ledger.entries n WHERE n.tenant_id = g.tenant_id AND n.kind = 'landing') AS x
    LEFT JOIN LATERAL (SELECT * FROM reviews.merge_statements(g.tenant_id) s
                        WHERE s.review_id = x.id AND s.part = x.part) AS l ON true
   WHERE x.open_salt IS NOT NULL
     AND (l.review_id IS NULL OR x.open <> ledger.commitment(x.open_salt, l.statement)
       OR x.closed <> ledger.commitment(x.closed_salt, l.hidden))
   UNION ALL
  SELECT x.tenant_id, x.leaf_index, 'its fields are withheld, and no erasure names it' FROM ledger.entries x
   WHERE x.open_salt IS NULL
     AND NOT EXISTS (SELECT FROM ledger.erasures r WHERE r.tenant_id = x.tenant_id AND r.entries @> x.leaf_index)
$$;
COMMENT ON FUNCTION ledger.altered_entries IS
  'Returns the entries whose row of the trail, or landing, is gone or says something else than was sealed, hidden '
  'fields included. Operators ask it by npm run invariants.';
REVOKE ALL ON FUNCTION ledger.altered_entries FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.altered_entries TO plat_inspector;
