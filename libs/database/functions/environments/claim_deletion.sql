CREATE OR REPLACE FUNCTION environments.claim_deletion(lease uuid, lease_seconds int) RETURNS SETOF environments.deletions
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE environments.deletions d
     SET lease_id = lease, attempts = d.attempts + 1,
         due_at = clock_timestamp() + make_interval(secs => lease_seconds)
   WHERE (d.tenant_id, d.environment_id) = (
     SELECT c.tenant_id, c.environment_id FROM environments.deletions c
      WHERE c.due_at <= clock_timestamp() AND identity.is_open(c.tenant_id)
      ORDER BY c.due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING d.*
$$;
COMMENT ON FUNCTION environments.claim_deletion IS
  'Takes the oldest due job of any tenant that is served under a new lease and returns it; no row if none is due. A '
  'job whose worker dies is due again when its lease ends. It sees jobs only while no tenant is entered; '
  'environments.claim_deletion_job calls it.';
REVOKE ALL ON FUNCTION environments.claim_deletion FROM PUBLIC;
