CREATE OR REPLACE FUNCTION environments.claim_deletion(lease uuid, lease_seconds int) RETURNS SETOF environments.deletions
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  asking uuid;
BEGIN
  FOR asking IN
    SELECT c.tenant_id FROM environments.deletions c WHERE c.due_at <= clock_timestamp()
     -- Each lease gives another order, so workers need not record which tenants they have served.
     GROUP BY c.tenant_id ORDER BY hashtextextended(c.tenant_id::text || lease, 0)
  LOOP
    CONTINUE WHEN NOT identity.is_open(asking);
    RETURN QUERY
    UPDATE environments.deletions d
       SET lease_id = lease, attempts = d.attempts + 1,
           due_at = clock_timestamp() + make_interval(secs => least(lease_seconds, 3600))
     WHERE (d.tenant_id, d.environment_id) = (
       SELECT c.tenant_id, c.environment_id FROM environments.deletions c
        WHERE c.tenant_id = asking AND c.due_at <= clock_timestamp()
        ORDER BY c.due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
    RETURNING d.*;
    EXIT WHEN FOUND;
  END LOOP;
END
$$;
COMMENT ON FUNCTION environments.claim_deletion IS
  'Takes the oldest due job of a served tenant under a new lease, and returns it; no row if none is due. The lease, '
  'which is random, selects the tenant. A job whose worker dies is due again when its lease ends, after an hour at '
  'most. It sees jobs only while no tenant is entered; environments.claim_deletion_job calls it.';
REVOKE ALL ON FUNCTION environments.claim_deletion FROM PUBLIC;
