CREATE OR REPLACE FUNCTION environments.claim_deletion_job(lease uuid, lease_seconds int)
RETURNS TABLE (tenant_id uuid, environment_id uuid, requested_by uuid, namespace text, kubernetes_context text,
               attempts int, lease_id uuid, proof text)
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT d.tenant_id, d.environment_id, d.requested_by, d.namespace, d.kubernetes_context, d.attempts, d.lease_id,
         identity.issue_proof(d.tenant_id, d.requested_by, repeat('0', 64))
    FROM environments.claim_deletion(lease, lease_seconds) d
$$;
COMMENT ON FUNCTION environments.claim_deletion_job IS
  'Does what environments.claim_deletion does, and returns the job with a proof by which the worker acts for the user '
  'who requested the deletion. The proof permits the deletion alone (identity.expect_caller). The worker of the '
  'platform service calls it.';
REVOKE ALL ON FUNCTION environments.claim_deletion_job FROM PUBLIC;
GRANT EXECUTE ON FUNCTION environments.claim_deletion_job TO plat_platform;
