CREATE OR REPLACE FUNCTION environments.block_deletion(tenant uuid, environment uuid, lease uuid, reason text) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM FROM environments.environments e
   WHERE e.tenant_id = tenant AND e.environment_id = environment FOR UPDATE;
  -- While no tenant is entered, jobs are visible and environments are not. An environment without its job would stay forever.
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM environments.deletions d
   WHERE d.tenant_id = tenant AND d.environment_id = environment AND d.lease_id = lease;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  UPDATE environments.environments e
     SET status = 'deletion-blocked', delete_error = reason, updated_at = clock_timestamp()
   WHERE e.tenant_id = tenant AND e.environment_id = environment;
  RETURN true;
END
$$;
COMMENT ON FUNCTION environments.block_deletion IS
  'Deletes the job and marks its environment as deletion-blocked with the reason; returns false if the lease is not '
  'the job''s any more, or the tenant is not entered. The worker of the platform service calls it after the last attempt that failed.';
REVOKE ALL ON FUNCTION environments.block_deletion FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.block_deletion TO plat_platform;
