CREATE OR REPLACE FUNCTION audit.drop_partition(partition_name text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
DECLARE
  present  record;
  exported audit.pruned_partitions;
  found_rows   bigint;
  found_digest numeric;
  found_entries record;
BEGIN
  SELECT * INTO present FROM audit.partitions() p WHERE p.partition = partition_name;
  IF NOT FOUND OR present.state <> 'detached' THEN
    RAISE object_not_in_prerequisite_state USING MESSAGE = format('audit.%I is no detached partition', partition_name);
  END IF;
  PERFORM audit.open_partition(partition_name);
  EXECUTE format('SELECT count(*), coalesce(sum(audit.line_digest(to_jsonb(e)::text)), 0) FROM audit.%I e', partition_name)
    INTO found_rows, found_digest;
  SELECT * INTO found_entries FROM audit.examine_partition(partition_name);
  IF found_entries.unsealed > 0 OR found_entries.unmarked > 0 THEN
    RAISE object_not_in_prerequisite_state
      USING MESSAGE = format('audit.%I has %s rows that are not sealed, and %s whose entries still have their fields',
                             partition_name, found_entries.unsealed, found_entries.unmarked);
  END IF;
  IF found_rows > 0 AND audit.hold_on(present.covers) IS NOT NULL THEN
    RAISE object_not_in_prerequisite_state
      USING MESSAGE = format('audit.%I is %s', partition_name, audit.hold_on(present.covers));
  END IF;
  SELECT * INTO exported FROM audit.pruned_partitions p
   WHERE p.partition = partition_name AND p.dropped_at IS NULL FOR UPDATE;
  IF NOT FOUND AND found_rows > 0 THEN
    RAISE object_not_in_prerequisite_state USING MESSAGE = format('audit.%I has not been exported', partition_name);
  END IF;
  IF found_rows > 0 AND (exported.rows, exported.digest) IS DISTINCT FROM (found_rows, found_digest) THEN
    RAISE integrity_constraint_violation
      USING MESSAGE = format('audit.%I has %s rows that are not the %s of its export', partition_name, found_rows, exported.rows);
  END IF;
  EXECUTE format('DROP TABLE audit.%I', partition_name);
  UPDATE audit.pruned_partitions p SET dropped_at = clock_timestamp()
   WHERE p.partition = partition_name AND p.dropped_at IS NULL;
END
$$;
COMMENT ON FUNCTION audit.drop_partition IS
  'Drops a detached partition of the trail. Raises object_not_in_prerequisite_state if it is attached or held, if it '
  'has rows and no recorded export, or if it has rows that are not sealed or whose entries audit.mark_pruned has not '
  'marked. Raises integrity_constraint_violation if its rows are not those of the export. npm run db -- prune calls '
  'it.';
REVOKE ALL ON FUNCTION audit.drop_partition FROM PUBLIC;
