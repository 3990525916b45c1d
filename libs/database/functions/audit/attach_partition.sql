CREATE OR REPLACE FUNCTION audit.attach_partition(partition_name text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
DECLARE
  present record;
  early   record;
BEGIN
  SELECT * INTO present FROM audit.partitions() p WHERE p.partition = partition_name;
  IF NOT FOUND OR present.state <> 'detached' THEN
    RAISE object_not_in_prerequisite_state USING MESSAGE = format('audit.%I is no detached partition', partition_name);
  END IF;
  SELECT * INTO early FROM audit.partitions() p
   WHERE p.partition = 'audit_events_early' AND p.state = 'attached' AND p.covers && present.covers;
  -- A prune that ended early has made this partition, up to the first month that was attached then.
  IF FOUND THEN
    IF early.written THEN
      RAISE object_not_in_prerequisite_state
        USING MESSAGE = format('audit.audit_events_early has rows, and covers the time of audit.%I', partition_name);
    END IF;
    DROP TABLE audit.audit_events_early;
  END IF;
  EXECUTE format('DROP POLICY IF EXISTS pruning ON audit.%I', partition_name);
  EXECUTE format('ALTER TABLE audit.audit_events ATTACH PARTITION audit.%I FOR VALUES FROM (%s) TO (%L)', partition_name,
                 coalesce(quote_literal(lower(present.covers)), 'MINVALUE'), upper(present.covers));
END
$$;
COMMENT ON FUNCTION audit.attach_partition IS
  'Puts a detached partition back into the trail. Raises object_not_in_prerequisite_state if it is attached, or '
  'rows have been written in its place. npm run db -- prune calls it if a row is not sealed.';
REVOKE ALL ON FUNCTION audit.attach_partition FROM PUBLIC;
