-- The release queue: one release a (tenant, commit), at most one running per tenant, first in first out.
-- Guarantees, by constraint: version only on released, a failure reason only on failed, one running.

CREATE SCHEMA releases AUTHORIZATION plat_releases_owner;
GRANT USAGE ON SCHEMA releases TO plat_releases, plat_reviews, plat_operations;
SET ROLE plat_releases_owner;

CREATE TABLE releases.releases (
  tenant_id      uuid NOT NULL,
  release_id     uuid NOT NULL,
  review_id      uuid,
  target_branch  text NOT NULL CHECK (target_branch <> '' AND length(target_branch) <= 255),
  commit_id      text NOT NULL CHECK (commit_id ~ '^[0-9a-f]{40}$'),
  status         text NOT NULL DEFAULT 'queued' CHECK (status IN ('queued', 'running', 'released', 'failed')),
  attempt        int NOT NULL DEFAULT 1 CHECK (attempt >= 1),
  -- Place in the tenant's line; a failed release that is queued again keeps it.
  queue_sequence bigint GENERATED ALWAYS AS IDENTITY,
  version        text,
  build_id       uuid,
  failure_reason text,
  started_at     timestamptz,
  finished_at    timestamptz,
  created_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, release_id),
  UNIQUE (tenant_id, commit_id),
  FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews,
  FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds,
  CHECK ((status = 'released') = (version IS NOT NULL)),
  CHECK ((status = 'failed') = (failure_reason IS NOT NULL))
);
CREATE UNIQUE INDEX releases_one_running ON releases.releases (tenant_id) WHERE status = 'running';
CREATE INDEX releases_line ON releases.releases (tenant_id, queue_sequence) WHERE status = 'queued';
CREATE INDEX releases_newest ON releases.releases (tenant_id, created_at DESC, release_id DESC);
CREATE INDEX releases_review ON releases.releases (tenant_id, review_id) WHERE review_id IS NOT NULL;

RESET ROLE;
CALL tenancy.protect('releases.releases');
SET ROLE plat_releases_owner;
GRANT SELECT ON releases.releases TO plat_releases;

-- Queues the release of a commit once: what is in flight or released stays as it is, what failed is queued again
-- with its attempt raised, keeping id and place. `created` tells a new row from one that was there.
-- A review that is not the tenant's is NOT_FOUND, also for a commit that has a release.
-- Spec: API, Release statuses; decision D2.
CREATE FUNCTION releases.enqueue(tenant uuid, release uuid, review uuid, branch text, commit text)
RETURNS TABLE (created boolean, entry releases.releases)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF review IS NOT NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
  RETURN QUERY
    INSERT INTO releases.releases AS r (tenant_id, release_id, review_id, target_branch, commit_id)
    VALUES (tenant, release, review, branch, commit)
    ON CONFLICT (tenant_id, commit_id) DO UPDATE
       SET status = 'queued', attempt = r.attempt + 1, failure_reason = NULL, build_id = NULL,
           started_at = NULL, updated_at = clock_timestamp()
     WHERE r.status = 'failed'
    RETURNING r.release_id = release, r;
  IF NOT FOUND THEN
    RETURN QUERY SELECT false, r FROM releases.releases r WHERE r.tenant_id = tenant AND r.commit_id = commit;
  END IF;
END
$$;
REVOKE ALL ON FUNCTION releases.enqueue(uuid, uuid, uuid, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION releases.enqueue(uuid, uuid, uuid, text, text) TO plat_releases, plat_reviews;
RESET ROLE;
