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
COMMENT ON FUNCTION releases.enqueue IS
  'Queues the release of a commit, or returns the one that it has; created says which. A failed one is queued '
  'again, with its attempt raised and its id and place kept. Refuses with NOT_FOUND for a review that is not '
  'visible. reviews.accept_queue_merge calls it, and the releases service for POST /v1/releases.';
REVOKE ALL ON FUNCTION releases.enqueue FROM PUBLIC;
GRANT EXECUTE ON FUNCTION releases.enqueue TO plat_releases, plat_reviews_owner;
