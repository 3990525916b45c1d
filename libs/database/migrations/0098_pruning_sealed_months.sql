-- What prunes months of the trail whose rows are sealed.
-- Guarantees: a month is not dropped before each of its rows is sealed, and its entry marked as erased. It is marked before it is taken
-- from the trail, so that at no moment a row is missing of which no erasure says so; one that came too late is put back, where a
-- sealer finds it. No transaction that takes long has a number, because sealing would wait for it.
-- Functions only; runs in milliseconds.

GRANT USAGE ON SCHEMA ledger TO plat_audit_owner;
SET ROLE plat_audit_owner;

CREATE FUNCTION audit.open_partition(partition_name text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
                  WHERE c.relnamespace = 'audit'::regnamespace AND c.relname = partition_name AND p.polname = 'pruning') THEN
    EXECUTE format('CREATE POLICY pruning ON audit.%I FOR SELECT TO plat_audit_owner USING (true)', partition_name);
  END IF;
END
$$;
COMMENT ON FUNCTION audit.open_partition IS
  'Lets the owner of the trail read every row of a partition that is pruned, by the partition''s own name, which nobody else uses. '
  'npm run db -- prune and audit.drop_partition call it.';

CREATE FUNCTION audit.next_rows(partition_name text, after_tenant uuid, after_time timestamptz, after_id uuid, most int)
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
  'Returns ids and times of the next rows of a partition that is open, at most so many, a row a tenant; without a place, the first '
  'ones. audit.examine_partition and audit.mark_pruned call it.';

CREATE FUNCTION audit.examine_partition(partition_name text, OUT unsealed bigint, OUT unmarked bigint)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  page     record;
  found    record;
  tenant   uuid;
  last_at  timestamptz;
  last_id  uuid;
  is_there boolean := true;
BEGIN
  unsealed := 0;
  unmarked := 0;
  WHILE is_there
  LOOP
    is_there := false;
    FOR page IN SELECT * FROM audit.next_rows(partition_name, tenant, last_at, last_id, 5000)
    LOOP
      SELECT * INTO found FROM ledger.examine_pruned(page.tenant, page.ids, page.times);
      unsealed := unsealed + found.unsealed;
      unmarked := unmarked + found.unmarked;
      tenant := page.tenant;
      last_at := page.times[cardinality(page.times)];
      last_id := page.ids[cardinality(page.ids)];
      is_there := true;
    END LOOP;
  END LOOP;
END
$$;
COMMENT ON FUNCTION audit.examine_partition IS
  'Returns how many rows of a partition that is open are not sealed, and of how many the entry still has its fields. Looks at each row. '
  'npm run db -- prune and audit.drop_partition call it.';

CREATE FUNCTION audit.mark_pruned(partition_name text, INOUT last_tenant uuid, INOUT last_at timestamptz, INOUT last_id uuid,
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
  'Erases the fields of the entries of the next rows of a partition that is open, at most so many after a place, and returns the '
  'last one''s place; no tenant at the end. Raises object_not_in_prerequisite_state if it has not been exported, or is held. '
  'npm run db -- prune calls it.';

CREATE FUNCTION audit.attach_partition(partition_name text) RETURNS void
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
  -- A prune that ended early has made it up to the first month that was attached then.
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
  'Puts a detached partition back into the trail. Raises object_not_in_prerequisite_state if it is attached, or rows have been '
  'written in its place. npm run db -- prune calls it if a row is not sealed.';

-- As before (0061), if all rows are sealed and their entries marked. What reads long comes before what takes a transaction's
-- number, which sealing would wait for.
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
  'Drops a detached partition of the trail. Raises object_not_in_prerequisite_state if it is attached, held, has rows and no '
  'recorded export, or rows that are not sealed or whose entries audit.mark_pruned has not marked, and '
  'integrity_constraint_violation if its rows are not those of the export. npm run db -- prune calls it.';

REVOKE ALL ON FUNCTION audit.open_partition(text), audit.examine_partition(text), audit.attach_partition(text),
  audit.next_rows(text, uuid, timestamptz, uuid, int), audit.mark_pruned(text, uuid, timestamptz, uuid, int) FROM PUBLIC;
RESET ROLE;
