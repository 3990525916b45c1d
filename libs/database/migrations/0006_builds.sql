-- Build reports: append-only by grant (no UPDATE, no DELETE for anybody but the owner).
-- Guarantees: exactly one of review and environment; GATE has a review and no version, RECORDED has a version;
-- a review's last builds are builds of that very review.
-- Partitioned by time through the id (UUIDv7), so that ids stay unique and can be referred to.

CREATE SCHEMA builds AUTHORIZATION plat_builds_owner;
GRANT USAGE ON SCHEMA builds TO plat_builds, plat_reviews, plat_reviews_owner, plat_releases_owner, plat_operations;
SET ROLE plat_builds_owner;

CREATE TABLE builds.builds (
  tenant_id        uuid NOT NULL,
  build_id         uuid NOT NULL,
  review_id        uuid,
  -- Neither name ever changes, and both outlive what they name.
  review_name      text,
  environment_id   uuid,
  environment_name text,
  kind             text NOT NULL CHECK (kind IN ('RECORDED', 'GATE')),
  successful       boolean NOT NULL,
  commit_id        text NOT NULL CHECK (commit_id ~ '^[0-9a-f]{40}$'),
  version          text,
  failure_detail   text,
  created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, build_id),
  UNIQUE (tenant_id, review_id, build_id),
  FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews,
  CHECK (num_nonnulls(review_id, environment_id) = 1),
  CHECK ((review_id IS NULL) = (review_name IS NULL) AND (environment_id IS NULL) = (environment_name IS NULL)),
  CHECK ((kind = 'RECORDED') = (version IS NOT NULL)),
  CHECK (kind = 'RECORDED' OR review_id IS NOT NULL),
  CHECK (kind = 'RECORDED' OR successful OR failure_detail <> '')
) PARTITION BY RANGE (build_id);

CREATE TABLE builds.builds_default PARTITION OF builds.builds DEFAULT;
CREATE INDEX builds_newest ON builds.builds (tenant_id, created_at DESC, build_id DESC);

RESET ROLE;
CALL tenancy.protect('builds.builds');
CALL tenancy.lock_partition('builds.builds_default');
CALL tenancy.make_partitions('builds.builds', current_date, 3);
SET ROLE plat_builds_owner;

GRANT SELECT, INSERT ON builds.builds TO plat_builds;
GRANT REFERENCES ON builds.builds TO plat_reviews_owner, plat_releases_owner;

-- What the merge queue must know of a build before it believes it.
CREATE FUNCTION builds.build_facts(tenant uuid, build uuid)
RETURNS TABLE (review_id uuid, kind text, successful boolean, commit_id text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT b.review_id, b.kind, b.successful, b.commit_id
    FROM builds.builds b WHERE b.tenant_id = tenant AND b.build_id = build
$$;
REVOKE ALL ON FUNCTION builds.build_facts(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION builds.build_facts(uuid, uuid) TO plat_reviews;

RESET ROLE;
SET ROLE plat_reviews_owner;
ALTER TABLE reviews.reviews
  ADD FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds (tenant_id, review_id, build_id),
  ADD FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds (tenant_id, review_id, build_id),
  ADD FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds (tenant_id, review_id, build_id);
RESET ROLE;
