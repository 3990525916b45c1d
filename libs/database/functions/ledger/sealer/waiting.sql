CREATE OR REPLACE FUNCTION ledger.waiting(after_rows int, after_seconds double precision, signing_keys bytea[])
RETURNS TABLE(tenant_id uuid, sealed_at timestamptz)
LANGUAGE sql STABLE
AS $$
  SELECT t.tenant_id, l.sealed_at
    FROM identity.tenants t
    LEFT JOIN ledger.logs l ON l.tenant_id = t.tenant_id
   -- Rows that can be sealed now: those of transactions that have ended, as all before them have.
   -- The order and the limit have each partition's index read for one row; EXISTS would drop them, and read whole tables.
   CROSS JOIN LATERAL (SELECT (
     SELECT e.created_at FROM audit.audit_events e
      WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below AND e.written_in < pg_snapshot_xmin(pg_current_snapshot())
      ORDER BY e.written_in LIMIT 1) AS created_at OFFSET 0) AS oldest
   WHERE NOT EXISTS (SELECT FROM identity.closed_tenants c
                      WHERE c.tenant_id = t.tenant_id AND c.reason <> 'disabled')
     AND CASE WHEN l.tenant_id IS NULL
           THEN (SELECT e.created_at FROM audit.audit_events e WHERE e.tenant_id = t.tenant_id
                  ORDER BY e.written_in LIMIT 1) IS NOT NULL
           ELSE l.cluster <> (SELECT ledger.cluster()) OR l.rescanned_at IS NOT NULL OR l.rescanned_review IS NOT NULL
             OR NOT signing_keys <@ l.keys
             OR oldest.created_at <= clock_timestamp() - make_interval(secs => after_seconds)
             OR oldest.created_at IS NOT NULL
                AND EXISTS (SELECT FROM audit.audit_events e
                             WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below
                               AND e.written_in < pg_snapshot_xmin(pg_current_snapshot())
                             ORDER BY e.written_in OFFSET after_rows - 1 LIMIT 1)
             OR EXISTS (SELECT FROM ledger.unsealed_landings(t.tenant_id, l.landed_below))
             OR EXISTS (SELECT FROM ledger.erasures r WHERE r.tenant_id = t.tenant_id AND NOT r.sealed)
         END
$$;
COMMENT ON FUNCTION ledger.waiting IS
  'Returns the tenants whose logs lack something that can be sealed now: the given number of rows of the trail, a row '
  'of the given age, a landing, an erasure, a key, or rows older than the log. ledger.seal_due calls it.';
REVOKE ALL ON FUNCTION ledger.waiting FROM PUBLIC;
