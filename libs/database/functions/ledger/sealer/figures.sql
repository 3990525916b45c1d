CREATE OR REPLACE FUNCTION ledger.figures(OUT logs bigint, OUT waiting bigint, OUT oldest_seconds double precision,
  OUT catching_up bigint, OUT unsigned_seconds double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(l.tenant_id), coalesce(sum(w.rows), 0)::bigint,
         coalesce(max(extract(epoch FROM clock_timestamp() - CASE WHEN l.tenant_id IS NULL
           THEN (SELECT e.created_at FROM audit.audit_events e
                  WHERE e.tenant_id = t.tenant_id AND e.written_in >= '0' ORDER BY e.written_in LIMIT 1)
           ELSE least(w.oldest, d.oldest, r.oldest) END)), 0)::double precision,
         count(*) FILTER (WHERE l.rescanned_at IS NOT NULL OR l.rescanned_review IS NOT NULL
                             OR l.cluster <> (SELECT ledger.cluster())),
         coalesce(max(extract(epoch FROM clock_timestamp() - l.unsigned_since)), 0)::double precision
    FROM identity.tenants t
    LEFT JOIN ledger.logs l ON l.tenant_id = t.tenant_id
   CROSS JOIN LATERAL (
     SELECT count(*) AS rows, min(n.created_at) AS oldest
       FROM (SELECT e.created_at FROM audit.audit_events e
              -- A transaction number above all of this cluster's comes from another cluster. A rescan finds its row.
              WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below
                AND e.written_in < pg_snapshot_xmax(pg_current_snapshot()) AND l.cluster = (SELECT ledger.cluster())
                AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit'
                                   AND x.id = e.audit_event_id AND x.part = 0 OFFSET 0)
              ORDER BY e.written_in LIMIT 10000) AS n) AS w
   CROSS JOIN LATERAL (
     SELECT min(n.at) AS oldest
       FROM (SELECT u.at FROM ledger.unsealed_landings(t.tenant_id, l.landed_below) u
              WHERE l.cluster = (SELECT ledger.cluster()) LIMIT 10000) AS n) AS d
   CROSS JOIN LATERAL (
     SELECT min(n.erased_at) AS oldest FROM ledger.erasures n WHERE n.tenant_id = t.tenant_id AND NOT n.sealed) AS r
   WHERE NOT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = t.tenant_id AND c.reason <> 'disabled')
$$;
COMMENT ON FUNCTION ledger.figures IS
  'Returns, over all tenants, how many logs there are, how many rows of the trail are not sealed (10000 a tenant at '
  'most), the age in seconds of the oldest row, landing or erasure that is not, how many logs are catching up with '
  'older rows, and for how long the stored size of a log has been unsigned. The audit service shows it at '
  '/metrics.';
REVOKE ALL ON FUNCTION ledger.figures FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.figures TO plat_audit;
