CREATE OR REPLACE PROCEDURE tenancy.lock_partition(partition regclass)
LANGUAGE plpgsql
AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', partition);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', partition);
END
$$;
COMMENT ON PROCEDURE tenancy.lock_partition IS
  'Puts a partition under forced row-level security without a policy, so that its rows are reached through its '
  'parent only. tenancy.make_partitions calls it.';
REVOKE ALL ON PROCEDURE tenancy.lock_partition FROM PUBLIC;
GRANT EXECUTE ON PROCEDURE tenancy.lock_partition TO plat_audit_owner, plat_builds_owner;
