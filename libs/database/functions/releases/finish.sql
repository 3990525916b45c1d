CREATE OR REPLACE FUNCTION releases.finish(tenant uuid, release uuid, claimed_attempt int, minted_version text, build uuid,
                                reason text) RETURNS SETOF releases.releases
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM releases.lock_line(tenant);
  RETURN QUERY
    UPDATE releases.releases r
       SET status = CASE WHEN minted_version IS NULL THEN 'failed' ELSE 'released' END, version = minted_version,
           build_id = build, failure_reason = reason, finished_at = clock_timestamp(), updated_at = clock_timestamp()
     WHERE r.tenant_id = tenant AND r.release_id = release AND r.status = 'running' AND r.attempt = claimed_attempt
    RETURNING r.*;
  IF FOUND THEN
    UPDATE releases.lines l SET last_finished_at = clock_timestamp() WHERE l.tenant_id = tenant;
  END IF;
END
$$;
COMMENT ON FUNCTION releases.finish IS
  'Ends the running attempt of a release, as released with a version or as failed with a reason, and returns it; '
  'checks refuse both or neither. No row unless exactly this attempt is running. releases.fail_stale calls it; '
  'otherwise it is for a runner of releases.';
REVOKE ALL ON FUNCTION releases.finish FROM PUBLIC;
GRANT EXECUTE ON FUNCTION releases.finish TO plat_releases;
