CREATE OR REPLACE FUNCTION audit.hold_on(stretch tstzrange) RETURNS text
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
  SELECT format('held until %s: %s',
                CASE WHEN h.kept_until = 'infinity' THEN 'the hold is taken away'
                     ELSE to_char(h.kept_until, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') END, h.reason)
    FROM audit.holds h WHERE h.covers && stretch AND h.kept_until > now() ORDER BY h.kept_until DESC, h.hold_id LIMIT 1
$$;
COMMENT ON FUNCTION audit.hold_on IS
  'Returns the reason why rows of a period must be kept, in words for a person; NULL if they may go. '
  'audit.prunable_partitions and audit.drop_partition call it.';
REVOKE ALL ON FUNCTION audit.hold_on FROM PUBLIC;
