-- Build reports, partitioned by the month of their ids, which rise with time. No build is changed or deleted.

SET ROLE plat_builds_owner;

CREATE TABLE builds.builds (
  tenant_id uuid NOT NULL,
  build_id uuid NOT NULL,
  review_id uuid,
  review_name text,
  environment_id uuid,
  environment_name text,
  kind text NOT NULL,
  successful boolean NOT NULL,
  commit_id text NOT NULL,
  version text,
  failure_detail text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  vouched boolean,
  CONSTRAINT builds_pkey PRIMARY KEY (tenant_id, build_id),
  CONSTRAINT builds_tenant_id_review_id_build_id_key UNIQUE (tenant_id, review_id, build_id),
  CONSTRAINT builds_tenant_id_review_id_fkey
    FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews (tenant_id, review_id) DEFERRABLE,
  CONSTRAINT builds_check CHECK (num_nonnulls(review_id, environment_id) = 1),
  CONSTRAINT builds_check1
    CHECK (((review_id IS NULL) = (review_name IS NULL)) AND ((environment_id IS NULL) = (environment_name IS NULL))),
  CONSTRAINT builds_check2 CHECK ((kind = 'RECORDED') = (version IS NOT NULL)),
  CONSTRAINT builds_check3 CHECK (kind = 'RECORDED' OR review_id IS NOT NULL),
  CONSTRAINT builds_check4 CHECK (kind = 'RECORDED' OR successful OR failure_detail <> ''),
  CONSTRAINT builds_commit_id_check CHECK (commit_id ~ '^[0-9a-f]{40}$'),
  CONSTRAINT builds_kind_check CHECK (kind IN ('RECORDED', 'GATE')),
  CONSTRAINT builds_vouched CHECK (vouched IS NULL OR (vouched AND kind = 'GATE' AND successful))
) PARTITION BY RANGE (build_id);
COMMENT ON TABLE builds.builds IS
  'One row for each build report, of a review or of an environment, with the name of either. vouched is set if a '
  'successful GATE build rests on a person''s word alone. No function changes or deletes one. Partitioned by month, '
  'through the time in the id.';
CREATE INDEX builds_newest ON builds.builds (tenant_id, created_at DESC, build_id DESC);
CREATE INDEX builds_environment
  ON builds.builds (tenant_id, environment_id, created_at, build_id) WHERE environment_id IS NOT NULL;
CREATE INDEX builds_gate ON builds.builds (tenant_id, created_at, build_id) WHERE kind = 'GATE';
CREATE INDEX builds_failed ON builds.builds (tenant_id, created_at, build_id) WHERE NOT successful;
CREATE INDEX builds_of_review ON builds.builds (tenant_id, review_id, created_at, build_id) WHERE review_id IS NOT NULL;

RESET ROLE;

CALL tenancy.protect('builds.builds');
GRANT REFERENCES ON builds.builds TO plat_releases_owner, plat_reviews_owner;

ALTER TABLE reviews.reviews ADD CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey
  FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds (tenant_id, review_id, build_id);
ALTER TABLE reviews.reviews ADD CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey
  FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds (tenant_id, review_id, build_id);
ALTER TABLE reviews.reviews ADD CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey
  FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds (tenant_id, review_id, build_id);
ALTER TABLE reviews.queue_moves ADD CONSTRAINT queue_moves_tenant_id_review_id_build_id_fkey
  FOREIGN KEY (tenant_id, review_id, build_id) REFERENCES builds.builds (tenant_id, review_id, build_id);

DO $$
BEGIN
  EXECUTE format('CREATE TABLE builds.builds_early PARTITION OF builds.builds FOR VALUES FROM (MINVALUE) TO (%L)',
                 tenancy.first_id(date_trunc('month', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'));
  COMMENT ON TABLE builds.builds_early IS
    'The builds that are older than the month of the installation, such as those of a tenant that comes from another database.';
  ALTER TABLE builds.builds_early OWNER TO plat_builds_owner;
  CALL tenancy.lock_partition('builds.builds_early');
END
$$;
