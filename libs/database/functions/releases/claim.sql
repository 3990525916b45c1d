CREATE OR REPLACE FUNCTION releases.claim(tenant uuid, cooldown interval DEFAULT interval '60 seconds')
RETURNS SETOF releases.releases
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  finished timestamptz := releases.lock_line(tenant);
BEGIN
  IF finished + cooldown > clock_timestamp()
     OR EXISTS (SELECT FROM releases.releases r WHERE r.tenant_id = tenant AND r.status = 'running') THEN
    RETURN;
  END IF;
  RETURN QUERY
    UPDATE releases.releases r
       SET status = 'running', started_at = clock_timestamp(), updated_at = clock_timestamp()
     WHERE r.tenant_id = tenant AND r.release_id = (
             SELECT q.release_id FROM releases.releases q WHERE q.tenant_id = tenant AND q.status = 'queued'
              ORDER BY q.queue_sequence LIMIT 1)
    RETURNING r.*;
END
$$;
COMMENT ON FUNCTION releases.claim IS
  'Starts the tenant''s oldest queued release and returns it. No row if none is queued, if one is running, or if '
  'the last one finished less than the cooldown ago. It is for a runner of releases; no service calls it.';
REVOKE ALL ON FUNCTION releases.claim FROM PUBLIC;
GRANT EXECUTE ON FUNCTION releases.claim TO plat_releases;
