CREATE OR REPLACE FUNCTION audit.open_partition(partition_name text) RETURNS void
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
  'Lets the owner of the trail read every row of a partition that is pruned. The rows are read by the name of the '
  'partition, which no other role uses. npm run db -- prune and audit.drop_partition call it.';
REVOKE ALL ON FUNCTION audit.open_partition FROM PUBLIC;
