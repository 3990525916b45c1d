-- What a runner of releases will call: claim, finish, and the failing of what was lost. Nothing calls them yet.
-- Guarantees: of concurrent claimers one gets the oldest queued release of the tenant, while none runs and not before
-- the cooldown has passed; a runner finishes only the attempt that it claimed.
-- No release has a version yet, so the new check reads a table without any; nothing is held for long.

SET ROLE plat_releases_owner;

-- One row a tenant: every move of its line happens under the row's lock, the joining included, so that the order of
-- the line is the order in which its releases can be seen.
CREATE TABLE releases.lines (
  tenant_id        uuid PRIMARY KEY REFERENCES identity.tenants,
  last_finished_at timestamptz
);

ALTER TABLE releases.releases
  ADD CONSTRAINT releases_version_grammar CHECK (version ~ '^[0-9]+[.][0-9]+[.][0-9]+(-[A-Za-z0-9.-]+)?$');

RESET ROLE;
CALL tenancy.protect('releases.lines');
SET ROLE plat_releases_owner;

-- Takes the lock of a tenant's line until the transaction ends, and answers when its last release finished.
CREATE FUNCTION releases.lock_line(tenant uuid) RETURNS timestamptz
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  finished timestamptz;
BEGIN
  SELECT l.last_finished_at INTO finished FROM releases.lines l WHERE l.tenant_id = tenant FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO releases.lines (tenant_id) VALUES (tenant) ON CONFLICT DO NOTHING;
    SELECT l.last_finished_at INTO finished FROM releases.lines l WHERE l.tenant_id = tenant FOR UPDATE;
  END IF;
  RETURN finished;
END
$$;

-- As before (0007), now under the line's lock: a release that took an earlier place cannot become visible after a
-- later one was claimed.
CREATE OR REPLACE FUNCTION releases.enqueue(tenant uuid, release uuid, review uuid, branch text, commit text)
RETURNS TABLE (created boolean, entry releases.releases)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF review IS NOT NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
  PERFORM releases.lock_line(tenant);
  RETURN QUERY
    INSERT INTO releases.releases AS r (tenant_id, release_id, review_id, target_branch, commit_id)
    VALUES (tenant, release, review, branch, commit)
    ON CONFLICT (tenant_id, commit_id) DO UPDATE
       SET status = 'queued', attempt = r.attempt + 1, failure_reason = NULL, build_id = NULL,
           started_at = NULL, finished_at = NULL, updated_at = clock_timestamp()
     WHERE r.status = 'failed'
    RETURNING r.release_id = release, r;
  IF NOT FOUND THEN
    RETURN QUERY SELECT false, r FROM releases.releases r WHERE r.tenant_id = tenant AND r.commit_id = commit;
  END IF;
END
$$;

-- Claims the tenant's oldest queued release for a runner. No row when none is queued, one runs already (somebody else
-- won the race), or the last one finished less than the cooldown ago. Decision D2.
CREATE FUNCTION releases.claim(tenant uuid, cooldown interval DEFAULT interval '60 seconds')
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

-- Ends a running release: released with the version that was minted, or failed with the reason, never both or
-- neither. No row unless exactly this attempt is running: a runner that was taken to be lost changes nothing.
CREATE FUNCTION releases.finish(tenant uuid, release uuid, claimed_attempt int, minted_version text, build uuid,
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

-- Fails the release that has run for too long to be alive, and so frees the line. No row when there is none.
CREATE FUNCTION releases.fail_stale(tenant uuid, stale_after interval DEFAULT interval '4 hours')
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

REVOKE ALL ON FUNCTION releases.lock_line(uuid), releases.claim(uuid, interval),
  releases.finish(uuid, uuid, int, text, uuid, text), releases.fail_stale(uuid, interval) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION releases.claim(uuid, interval), releases.finish(uuid, uuid, int, text, uuid, text),
  releases.fail_stale(uuid, interval) TO plat_releases;
RESET ROLE;
