CREATE OR REPLACE FUNCTION audit.next_rows(partition_name text, after_tenant uuid, after_time timestamptz, after_id uuid, most int)
RETURNS TABLE(tenant uuid, ids uuid[], times timestamptz[])
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE format(
    'SELECT n.tenant_id, array_agg(n.audit_event_id ORDER BY n.created_at, n.audit_event_id),
            array_agg(n.created_at ORDER BY n.created_at, n.audit_event_id)
       FROM (SELECT e.tenant_id, e.audit_event_id, e.created_at FROM audit.%I e
              WHERE $1 IS NULL OR (e.tenant_id, e.created_at, e.audit_event_id) > ($1, $2, $3)
              ORDER BY e.tenant_id, e.created_at, e.audit_event_id LIMIT $4) AS n
      GROUP BY n.tenant_id ORDER BY n.tenant_id', partition_name)
    USING after_tenant, after_time, after_id, most;
END
$$;
COMMENT ON FUNCTION audit.next_rows IS
  'Returns ids and times of the next rows of a partition that is open, at most the given number, a row for each '
  'tenant. Without a place it begins with the first one. audit.examine_partition and audit.mark_pruned call it.';
REVOKE ALL ON FUNCTION audit.next_rows FROM PUBLIC;
