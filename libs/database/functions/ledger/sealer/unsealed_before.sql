CREATE OR REPLACE FUNCTION ledger.unsealed_before(moment timestamptz) RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(*)
    FROM identity.tenants t
    LEFT JOIN ledger.logs l ON l.tenant_id = t.tenant_id
   -- If nothing has ever been sealed, nothing waits to be sealed.
   WHERE EXISTS (SELECT FROM ledger.logs)
     AND NOT EXISTS (SELECT FROM identity.closed_tenants c WHERE c.tenant_id = t.tenant_id AND c.reason <> 'disabled')
     AND CASE WHEN l.tenant_id IS NULL
           THEN EXISTS (SELECT FROM audit.audit_events e WHERE e.tenant_id = t.tenant_id AND e.created_at < moment)
           ELSE l.cluster <> (SELECT ledger.cluster()) OR l.rescanned_at < moment
             OR EXISTS (SELECT FROM audit.audit_events e
                         WHERE e.tenant_id = t.tenant_id AND e.written_in >= l.sealed_below AND e.created_at < moment
                           AND NOT EXISTS (SELECT FROM ledger.entries x WHERE x.tenant_id = e.tenant_id AND x.kind = 'audit'
                                              AND x.id = e.audit_event_id AND x.part = 0 OFFSET 0))
         END
$$;
COMMENT ON FUNCTION ledger.unsealed_before IS
  'Returns how many tenants may have unsealed rows of the trail that are older than a moment, because they wait or '
  'the log is catching up. npm run db -- prune removes no month of the trail while it is not 0.';
REVOKE ALL ON FUNCTION ledger.unsealed_before FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ledger.unsealed_before TO plat_audit_owner;
