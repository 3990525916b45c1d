-- A worker takes up the deletions of all tenants in turn: until now the oldest came first, so that a tenant with many of them,
-- each of which waits for a cluster that does not answer, kept every other tenant's from being done for hours.
-- Guarantees: each tenant with a due job is as likely to be the next; of its jobs the oldest is taken. A job is due again within an
-- hour, whatever is asked for, so that a login that was taken over does not hold the deletions of tenants for ever.
-- On a live database: replaces functions that the release before calls as before, with a minute.

SET ROLE plat_environments_owner;

CREATE OR REPLACE FUNCTION environments.claim_deletion(lease uuid, lease_seconds int) RETURNS SETOF environments.deletions
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  asking uuid;
BEGIN
  FOR asking IN
    SELECT c.tenant_id FROM environments.deletions c WHERE c.due_at <= clock_timestamp()
     -- Another order with each lease, so that workers need not know whom they have served.
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
  'Takes the oldest due job of a tenant that is served under a new lease and returns it; no row if none is due. Which tenant, '
  'the lease decides as a lot does. A job whose worker dies is due again when its lease ends, after an hour at most. It sees '
  'jobs only while no tenant is entered; environments.claim_deletion_job calls it.';

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

RESET ROLE;
