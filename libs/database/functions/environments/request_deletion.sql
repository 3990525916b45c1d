CREATE OR REPLACE FUNCTION environments.request_deletion(tenant uuid, environment uuid, usr uuid)
RETURNS SETOF environments.environments
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  entry environments.environments;
BEGIN
  PERFORM identity.expect_caller();
  SELECT * INTO entry FROM environments.environments e
   WHERE e.tenant_id = tenant AND e.environment_id = environment FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  IF entry.status <> 'deleting' THEN
    UPDATE environments.environments e SET status = 'deleting', delete_error = NULL, updated_at = clock_timestamp()
     WHERE e.tenant_id = tenant AND e.environment_id = environment RETURNING * INTO STRICT entry;
    INSERT INTO environments.deletions (tenant_id, environment_id, requested_by, namespace, kubernetes_context)
    VALUES (tenant, environment, tenancy.user_id(), environments.namespace_of(tenant, entry.name),
            entry.kubernetes_context);
  END IF;
  RETURN NEXT entry;
END
$$;
COMMENT ON FUNCTION environments.request_deletion IS
  'Marks an environment as deleting, adds the job that deletes it for the transaction''s user, and returns the '
  'environment; no row if the tenant has none of that id. A repetition changes nothing while the job exists, and '
  'adds a new job after it was blocked. The platform service calls it for DELETE /v1/environments/{environment_id}.';
REVOKE ALL ON FUNCTION environments.request_deletion FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.request_deletion TO plat_platform;
