CREATE OR REPLACE FUNCTION environments.finish_deletion(tenant uuid, environment uuid, lease uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM environments.environments e
   WHERE e.tenant_id = tenant AND e.environment_id = environment AND EXISTS (
     SELECT FROM environments.deletions d
      WHERE d.tenant_id = tenant AND d.environment_id = environment AND d.lease_id = lease);
  RETURN FOUND;
END
$$;
COMMENT ON FUNCTION environments.finish_deletion IS
  'Deletes an environment with its job; returns false, and deletes nothing, if the lease is not the job''s any '
  'more. The worker of the platform service calls it.';
REVOKE ALL ON FUNCTION environments.finish_deletion FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.finish_deletion TO plat_platform;
