-- The release queue.

SET ROLE plat_releases_owner;

CREATE TABLE releases.releases (
  tenant_id uuid NOT NULL,
  release_id uuid NOT NULL,
  review_id uuid,
  target_branch text NOT NULL,
  commit_id text NOT NULL,
  status text NOT NULL DEFAULT 'queued',
  attempt int NOT NULL DEFAULT 1,
  queue_sequence bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  version text,
  build_id uuid,
  failure_reason text,
  started_at timestamptz,
  finished_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT releases_pkey PRIMARY KEY (tenant_id, release_id),
  CONSTRAINT releases_tenant_id_commit_id_key UNIQUE (tenant_id, commit_id),
  CONSTRAINT releases_tenant_id_build_id_fkey
    FOREIGN KEY (tenant_id, build_id) REFERENCES builds.builds (tenant_id, build_id),
  CONSTRAINT releases_tenant_id_review_id_fkey
    FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews (tenant_id, review_id),
  CONSTRAINT releases_attempt_check CHECK (attempt >= 1),
  CONSTRAINT releases_check CHECK ((status = 'released') = (version IS NOT NULL)),
  CONSTRAINT releases_check1 CHECK ((status = 'failed') = (failure_reason IS NOT NULL)),
  CONSTRAINT releases_commit_id_check CHECK (commit_id ~ '^[0-9a-f]{40}$'),
  CONSTRAINT releases_status_check CHECK (status IN ('queued', 'running', 'released', 'failed')),
  CONSTRAINT releases_target_branch_check CHECK (target_branch <> '' AND length(target_branch) <= 255),
  CONSTRAINT releases_version_grammar CHECK (version ~ '^[0-9]+[.][0-9]+[.][0-9]+(-[A-Za-z0-9.-]+)?$')
);
COMMENT ON TABLE releases.releases IS
  'One row for each (tenant, commit). Checks tie version to released and failure_reason to failed; an index allows '
  'one running release for each tenant.';
CREATE UNIQUE INDEX releases_one_running ON releases.releases (tenant_id) WHERE status = 'running';
CREATE INDEX releases_line ON releases.releases (tenant_id, queue_sequence) WHERE status = 'queued';
CREATE INDEX releases_newest ON releases.releases (tenant_id, created_at DESC, release_id DESC);
CREATE INDEX releases_review ON releases.releases (tenant_id, review_id) WHERE review_id IS NOT NULL;
CREATE INDEX releases_of_review
  ON releases.releases (tenant_id, review_id, created_at, release_id) WHERE review_id IS NOT NULL;
CREATE INDEX releases_of_build ON releases.releases (tenant_id, build_id) WHERE build_id IS NOT NULL;

CREATE TABLE releases.lines (
  tenant_id uuid NOT NULL,
  last_finished_at timestamptz,
  CONSTRAINT lines_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT lines_tenant_id_fkey FOREIGN KEY (tenant_id) REFERENCES identity.tenants (tenant_id)
);
COMMENT ON TABLE releases.lines IS
  'One row for each tenant, with the time when its last release finished. Every move of the release queue holds the '
  'lock of this row.';

RESET ROLE;

CALL tenancy.protect('releases.releases');

CALL tenancy.protect('releases.lines');
