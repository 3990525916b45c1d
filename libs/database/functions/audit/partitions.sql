CREATE OR REPLACE FUNCTION audit.partitions() RETURNS TABLE(partition text, covers tstzrange, state text, written boolean)
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
  WITH attached AS (
    SELECT c.oid, c.relname::text AS name, i.inhdetachpending AS pending,
           regexp_match(pg_get_expr(c.relpartbound, c.oid), 'FROM \((.*)\) TO \(''(.*)''\)') AS bounds
      FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'audit.audit_events'::regclass),
  bounded AS (
    SELECT a.oid, a.name, CASE WHEN a.pending THEN 'detaching' ELSE 'attached' END AS state,
           tstzrange(CASE WHEN a.bounds[1] <> 'MINVALUE' THEN btrim(a.bounds[1], '''')::timestamptz END,
                     a.bounds[2]::timestamptz) AS covers
      FROM attached a
    UNION ALL
    -- A detached partition has no bounds; its name has the month. The partition of all earlier time ends where the rest begins.
    SELECT c.oid, c.relname::text, 'detached',
           CASE WHEN c.relname = 'audit_events_early'
             THEN coalesce((SELECT p.covers FROM audit.pruned_partitions p
                             WHERE p.partition = c.relname AND p.dropped_at IS NULL),
                           tstzrange(NULL, (SELECT min(btrim(a.bounds[1], '''')::timestamptz) FROM attached a
                                             WHERE a.bounds[1] <> 'MINVALUE')))
             ELSE tstzrange(to_date(right(c.relname, 7), 'YYYY_MM')::timestamp AT TIME ZONE INTERVAL '0',
                            (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE INTERVAL '0') END
      FROM pg_class c
     WHERE c.relnamespace = 'audit'::regnamespace AND c.relkind = 'r' AND NOT c.relispartition
       AND c.relname ~ '^audit_events_([0-9]{4}_[0-9]{2}|early)$')
  SELECT b.name, b.covers, b.state, pg_relation_size(b.oid) > 0 FROM bounded b ORDER BY upper(b.covers)
$$;
COMMENT ON FUNCTION audit.partitions IS
  'Returns the partitions of the trail, oldest first, with the time that each covers and its state: attached, '
  'detaching or detached; a partition has one of the last two if a prune was interrupted. A partition that was never '
  'written has no rows. audit.prunable_partitions and audit.drop_partition ask it.';
REVOKE ALL ON FUNCTION audit.partitions FROM PUBLIC;
