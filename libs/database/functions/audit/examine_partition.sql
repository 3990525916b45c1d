CREATE OR REPLACE FUNCTION audit.examine_partition(partition_name text, OUT unsealed bigint, OUT unmarked bigint)
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
  'Returns how many rows of an open partition are not sealed, and how many rows have an entry that still has its '
  'fields. It reads each row. npm run db -- prune and audit.drop_partition call it.';
REVOKE ALL ON FUNCTION audit.examine_partition FROM PUBLIC;
