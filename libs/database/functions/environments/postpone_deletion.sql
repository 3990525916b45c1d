CREATE OR REPLACE FUNCTION environments.postpone_deletion(tenant uuid, environment uuid, lease uuid, pause_seconds int)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE environments.deletions d
     SET lease_id = NULL, due_at = clock_timestamp() + make_interval(secs => least(pause_seconds, 3600))
   WHERE d.tenant_id = tenant AND d.environment_id = environment AND d.lease_id = lease;
  RETURN FOUND;
END
$$;
COMMENT ON FUNCTION environments.postpone_deletion IS
  'Ends a lease and makes the job due again after a pause of an hour at most; returns false if the lease is not the job''s any '
  'more. The worker of the platform service calls it after an attempt that failed.';
REVOKE ALL ON FUNCTION environments.postpone_deletion FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.postpone_deletion TO plat_platform;
