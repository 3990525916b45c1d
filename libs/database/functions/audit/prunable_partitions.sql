CREATE OR REPLACE FUNCTION audit.prunable_partitions(before timestamptz)
RETURNS TABLE(partition text, covers tstzrange, state text, written boolean, export text, obstacle text)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  -- A transaction may still be writing rows of the last hours.
  IF before > now() - interval '1 day' THEN
    RAISE invalid_parameter_value USING MESSAGE = 'rows of the trail are kept for a day at least';
  END IF;
  RETURN QUERY
    WITH past AS (
      SELECT p.*, CASE WHEN p.written THEN audit.hold_on(p.covers) END AS held
        FROM audit.partitions() p WHERE upper(p.covers) <= before)
    SELECT o.partition, o.covers, o.state, o.written,
           coalesce(
             (SELECT l.export FROM audit.pruned_partitions l WHERE l.partition = o.partition AND l.dropped_at IS NULL),
             n.name || coalesce((SELECT '_' || count(*) + 1 FROM audit.pruned_partitions l
                                  WHERE l.dropped_at IS NOT NULL AND (l.export = n.name OR l.export LIKE n.name || '\_%')
                                 HAVING count(*) > 0), '')),
           coalesce(o.held, CASE WHEN bool_or(o.held IS NOT NULL) OVER (ORDER BY upper(o.covers))
                              THEN 'a partition before it is kept' END)
      FROM past o
     CROSS JOIN LATERAL (
       SELECT CASE WHEN o.partition = 'audit_events_early'
                THEN 'audit_events_before' || to_char(upper(o.covers) AT TIME ZONE INTERVAL '0', '_YYYY_MM')
                ELSE o.partition END AS name) AS n
     ORDER BY upper(o.covers);
END
$$;
COMMENT ON FUNCTION audit.prunable_partitions IS
  'Returns the partitions of the trail that end at a moment or before it, oldest first, with the name that the '
  'export of each has, and with the obstacle to pruning it: a hold on its rows, or that an older partition is kept; '
  'NULL if it may go. Refuses a moment within the last day with invalid_parameter_value. npm run db -- prune calls '
  'it.';
REVOKE ALL ON FUNCTION audit.prunable_partitions FROM PUBLIC;
