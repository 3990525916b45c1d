CREATE OR REPLACE FUNCTION ledger.late_rows(after_seconds double precision)
RETURNS TABLE(tenant_id uuid, kind text, id uuid, at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH logs AS (
    SELECT l.*, clock_timestamp() - make_interval(secs => after_seconds) AS due FROM ledger.logs l
     WHERE l.cluster = (SELECT ledger.cluster())
       AND NOT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = l.tenant_id AND c.reason <> 'disabled'))
  -- The transaction that a row or a landing names does not count: a row that was inserted by hand may name another one.
  SELECT e.tenant_id, 'audit', e.audit_event_id, e.created_at
    FROM logs l
    JOIN audit.audit_events e ON e.tenant_id = l.tenant_id AND e.created_at < l.due
   WHERE l.rescanned_at IS NULL
     AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit'
                        AND x.id = e.audit_event_id AND x.part = 0 AND x.at = e.created_at)
   UNION ALL
  SELECT l.tenant_id, 'landing', w.review_id, w.created_at
    FROM logs l
    JOIN (SELECT v.tenant_id, v.review_id, 0::smallint AS part, v.created_at FROM reviews.verifications v
           UNION ALL
          SELECT c.tenant_id, c.review_id, 1::smallint, c.created_at FROM reviews.later_contents c) AS w
      ON w.tenant_id = l.tenant_id AND w.created_at < l.due
   WHERE l.rescanned_review IS NULL
     AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = w.tenant_id AND x.kind = 'landing'
                        AND x.id = w.review_id AND x.part = w.part)
   UNION ALL
  SELECT r.tenant_id, 'erasure', r.erasure_id, r.erased_at
    FROM logs l JOIN ledger.erasures r ON r.tenant_id = l.tenant_id AND r.erased_at < l.due
   WHERE NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = r.tenant_id AND x.kind = 'erasure'
                        AND x.id = r.erasure_id AND x.part = 0 OFFSET 0)
$$;
COMMENT ON FUNCTION ledger.late_rows IS
  'Returns the rows of the trail, the landings and the erasures that are older than the given number of seconds and '
  'not sealed, in logs that have caught up. Operators ask it by npm run invariants.';
REVOKE ALL ON FUNCTION ledger.late_rows FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.late_rows TO plat_inspector;
