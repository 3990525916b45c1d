CREATE OR REPLACE FUNCTION builds.prune(tenant uuid, before timestamptz, after uuid, most int, dry boolean)
RETURNS TABLE(last uuid, removed bigint, kept bigint, oldest timestamptz, newest timestamptz)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  looked uuid[];
  needed uuid[];
  unused uuid[];
BEGIN
  -- The transaction that reports a build may still be under way.
  IF before > now() - interval '1 day' THEN
    RAISE invalid_parameter_value USING MESSAGE = 'builds are kept for a day at least';
  END IF;
  looked := ARRAY(SELECT b.build_id FROM builds.builds b
                   WHERE b.tenant_id = tenant AND (after IS NULL OR b.build_id > after)
                     AND b.build_id < tenancy.first_id(before) AND b.created_at < before
                   ORDER BY b.build_id LIMIT most);
  last := looked[cardinality(looked)];
  needed := builds.needed(tenant, looked);
  unused := ARRAY(SELECT b FROM unnest(looked) AS b WHERE b <> ALL (needed));
  IF NOT dry THEN
    -- A transaction that names a build holds its row, so the row is skipped. A later transaction waits, and finds it gone.
    unused := ARRAY(SELECT b.build_id FROM builds.builds b WHERE b.tenant_id = tenant AND b.build_id = ANY (unused)
                    FOR UPDATE SKIP LOCKED);
    -- It may have been named between the look and the lock.
    needed := builds.needed(tenant, unused);
    unused := ARRAY(SELECT b FROM unnest(unused) AS b WHERE b <> ALL (needed));
  END IF;
  SELECT min(b.created_at), max(b.created_at) INTO oldest, newest FROM builds.builds b
   WHERE b.tenant_id = tenant AND b.build_id = ANY (unused);
  removed := cardinality(unused);
  IF NOT dry THEN
    DELETE FROM builds.builds b WHERE b.tenant_id = tenant AND b.build_id = ANY (unused);
    GET DIAGNOSTICS removed = ROW_COUNT;
  END IF;
  kept := cardinality(looked) - removed;
  RETURN NEXT;
END
$$;
COMMENT ON FUNCTION builds.prune IS
  'Reads the next builds of a tenant that are older than a moment, in the order of their ids, and deletes those that '
  'nothing needs (builds.needed). If dry is true, it only counts them. Returns the last one that it read, how many it '
  'deleted and kept, and the oldest and newest that it deleted; last is NULL if there are no more. Refuses a moment '
  'within the last day with invalid_parameter_value. It runs with the rights of its caller, who must have entered the '
  'tenant. npm run db -- prune calls it.';
REVOKE ALL ON FUNCTION builds.prune FROM PUBLIC;
