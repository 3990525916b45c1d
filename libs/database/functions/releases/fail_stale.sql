CREATE OR REPLACE FUNCTION releases.fail_stale(tenant uuid, stale_after interval DEFAULT interval '4 hours')
RETURNS SETOF releases.releases
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM releases.lock_line(tenant);
  RETURN QUERY
    SELECT f.* FROM releases.releases r
     CROSS JOIN LATERAL releases.finish(tenant, r.release_id, r.attempt, NULL, NULL,
       format('The release was still running after %s and is taken to be lost.', stale_after)) AS f
     WHERE r.tenant_id = tenant AND r.status = 'running' AND r.started_at <= clock_timestamp() - stale_after;
END
$$;
COMMENT ON FUNCTION releases.fail_stale IS
  'Fails the tenant''s release that has been running for longer than stale_after, and returns it; no row if there '
  'is none. It is for a runner of releases; no service calls it.';
REVOKE ALL ON FUNCTION releases.fail_stale FROM PUBLIC;
GRANT EXECUTE ON FUNCTION releases.fail_stale TO plat_releases;
