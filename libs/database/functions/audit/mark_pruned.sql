CREATE OR REPLACE FUNCTION audit.mark_pruned(partition_name text, INOUT last_tenant uuid, INOUT last_at timestamptz, INOUT last_id uuid,
  most int)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET timezone = 'UTC'
AS $$
DECLARE
  page     record;
  exported audit.pruned_partitions;
BEGIN
  SELECT * INTO exported FROM audit.pruned_partitions p WHERE p.partition = partition_name AND p.dropped_at IS NULL;
  IF NOT FOUND THEN
    RAISE object_not_in_prerequisite_state USING MESSAGE = format('audit.%I has not been exported', partition_name);
  END IF;
  IF audit.hold_on(exported.covers) IS NOT NULL THEN
    RAISE object_not_in_prerequisite_state
      USING MESSAGE = format('audit.%I is %s', partition_name, audit.hold_on(exported.covers));
  END IF;
  FOR page IN SELECT * FROM audit.next_rows(partition_name, last_tenant, last_at, last_id, most)
  LOOP
    PERFORM ledger.note_pruned(page.tenant, page.ids, page.times);
    last_tenant := page.tenant;
    last_at := page.times[cardinality(page.times)];
    last_id := page.ids[cardinality(page.ids)];
  END LOOP;
  IF page IS NULL THEN
    last_tenant := NULL;
  END IF;
END
$$;
COMMENT ON FUNCTION audit.mark_pruned IS
  'Erases the fields of the entries of the next rows of a partition that is open, at most the given number after a '
  'place. Returns the place of the last one; at the end the tenant is NULL. Raises object_not_in_prerequisite_state '
  'if it has not been exported, or is held. npm run db -- prune calls it.';
REVOKE ALL ON FUNCTION audit.mark_pruned FROM PUBLIC;
