-- Reviews, their reviewers and comments, the merge queue and the records of verified merges.
-- Guarantees, by constraint: one live name and one live pair per repository, one review at MERGE per repository and
-- target, a ticket exactly while READY, verification records that are never changed.

CREATE SCHEMA reviews AUTHORIZATION plat_reviews_owner;
GRANT USAGE ON SCHEMA reviews TO plat_reviews, plat_builds, plat_releases, plat_operations;
SET ROLE plat_reviews_owner;

-- One row a (tenant, target branch): every move of a queue happens under its lock, the taking of a ticket included.
-- Repositories share it, because rows that record none wait in the same line as a named repository's.
CREATE TABLE reviews.queues (
  tenant_id     uuid NOT NULL,
  target_branch text NOT NULL,
  version       bigint NOT NULL DEFAULT 0,
  last_ticket   bigint NOT NULL DEFAULT 0,
  last_merge    bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (tenant_id, target_branch)
);

CREATE TABLE reviews.reviews (
  tenant_id            uuid NOT NULL,
  review_id            uuid NOT NULL,
  author_user_id       uuid NOT NULL,
  name                 text NOT NULL CHECK (name <> '' AND length(name) <= 512),
  repository           text CHECK (repository <> ''),
  target_branch        text NOT NULL CHECK (target_branch <> '' AND length(target_branch) <= 255),
  source_branch        text NOT NULL CHECK (source_branch <> '' AND length(source_branch) <= 255),
  status               text NOT NULL DEFAULT 'OPEN'
                       CHECK (status IN ('OPEN', 'CLOSED', 'FAILED', 'READY', 'MERGE', 'MERGED')),
  last_failed_build_id uuid,
  last_ready_build_id  uuid,
  last_merged_build_id uuid,
  -- Place in the line: taken on entering READY, given up on leaving it.
  ticket               bigint,
  -- Order in which the reviews of a target reached MERGED through the queue, and the commit that each landed.
  merge_sequence       bigint,
  merged_commit_id     text CHECK (merged_commit_id ~ '^[0-9a-f]{40}$'),
  created_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at           timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, review_id),
  FOREIGN KEY (tenant_id, author_user_id) REFERENCES identity.users,
  CHECK ((status = 'READY') = (ticket IS NOT NULL)),
  CHECK (status NOT IN ('READY', 'MERGE') OR last_ready_build_id IS NOT NULL),
  CHECK (status <> 'FAILED' OR last_failed_build_id IS NOT NULL),
  -- A merge through the queue has all three, a reconciled one none.
  CHECK (num_nulls(last_merged_build_id, merge_sequence, merged_commit_id) IN (0, 3)),
  CHECK (last_merged_build_id IS NULL OR status = 'MERGED')
);

CREATE UNIQUE INDEX reviews_live_name ON reviews.reviews (tenant_id, repository, name) NULLS NOT DISTINCT
  WHERE status <> 'CLOSED';
CREATE UNIQUE INDEX reviews_live_pair ON reviews.reviews (tenant_id, repository, source_branch, target_branch)
  NULLS NOT DISTINCT WHERE status NOT IN ('MERGED', 'CLOSED');
CREATE UNIQUE INDEX reviews_one_merge ON reviews.reviews (tenant_id, repository, target_branch) NULLS NOT DISTINCT
  WHERE status = 'MERGE';
-- The line itself: the head of a repository's queue, and which repositories wait, by index alone.
CREATE UNIQUE INDEX reviews_line ON reviews.reviews (tenant_id, target_branch, repository, ticket) NULLS NOT DISTINCT
  WHERE status = 'READY';
CREATE UNIQUE INDEX reviews_merge_order ON reviews.reviews (tenant_id, target_branch, repository, merge_sequence)
  WHERE merge_sequence IS NOT NULL;
CREATE INDEX reviews_newest ON reviews.reviews (tenant_id, created_at DESC, review_id DESC);

-- What happened to each queue, version by version: a witness that the line was kept.
CREATE TABLE reviews.queue_moves (
  tenant_id     uuid NOT NULL,
  target_branch text NOT NULL,
  version       bigint NOT NULL,
  review_id     uuid NOT NULL,
  repository    text,
  move          text NOT NULL CHECK (move IN ('ready', 'promote', 'requeue', 'fail', 'close', 'merge', 'reconcile')),
  ticket        bigint,
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, target_branch, version),
  FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews
);

CREATE TABLE reviews.reviewers (
  tenant_id  uuid NOT NULL,
  review_id  uuid NOT NULL,
  user_id    uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, review_id, user_id),
  FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews,
  FOREIGN KEY (tenant_id, user_id) REFERENCES identity.users
);
CREATE INDEX reviewers_user ON reviews.reviewers (tenant_id, user_id, review_id);

CREATE TABLE reviews.comments (
  tenant_id         uuid NOT NULL,
  comment_id        uuid NOT NULL,
  review_id         uuid NOT NULL,
  creator_user_id   uuid NOT NULL,
  parent_comment_id uuid,
  -- Of a root only; a reply has no status of its own.
  status            text CHECK (status IN ('OPEN', 'CLOSED')),
  commit_id         text NOT NULL CHECK (commit_id ~ '^[0-9a-f]{40}$'),
  file_path         text NOT NULL,
  line              int NOT NULL CHECK (line >= 1),
  body              text NOT NULL CHECK (body <> ''),
  created_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at        timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, comment_id),
  UNIQUE (tenant_id, review_id, comment_id),
  FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews,
  FOREIGN KEY (tenant_id, creator_user_id) REFERENCES identity.users,
  FOREIGN KEY (tenant_id, review_id, parent_comment_id) REFERENCES reviews.comments (tenant_id, review_id, comment_id),
  CHECK ((parent_comment_id IS NULL) = (status IS NOT NULL))
);
CREATE UNIQUE INDEX comments_one_root ON reviews.comments (tenant_id, review_id, commit_id, file_path, line)
  WHERE parent_comment_id IS NULL;
CREATE INDEX comments_open ON reviews.comments (tenant_id, review_id) WHERE status = 'OPEN';

-- Why each MERGED was believed.
CREATE TABLE reviews.verifications (
  tenant_id        uuid NOT NULL,
  review_id        uuid NOT NULL,
  route            text NOT NULL CHECK (route IN ('queue', 'reconciled')),
  remote_url       text NOT NULL,
  repository       text NOT NULL,
  target_branch    text NOT NULL,
  target_tip       text NOT NULL CHECK (target_tip ~ '^[0-9a-f]{40}$'),
  commit_id        text CHECK (commit_id ~ '^[0-9a-f]{40}$'),
  anchor_commit_id text CHECK (anchor_commit_id ~ '^[0-9a-f]{40}$'),
  source_tip       text CHECK (source_tip ~ '^[0-9a-f]{40}$'),
  build_id         uuid,
  -- Why the release of a queue merge could not be queued, where it could not.
  release_error    text,
  created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (tenant_id, review_id),
  FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews,
  CHECK ((route = 'queue') = (commit_id IS NOT NULL AND build_id IS NOT NULL)),
  CHECK ((route = 'reconciled') = (source_tip IS NOT NULL))
);

RESET ROLE;
CALL tenancy.protect('reviews.queues');
CALL tenancy.protect('reviews.reviews');
CALL tenancy.protect('reviews.queue_moves');
CALL tenancy.protect('reviews.reviewers');
CALL tenancy.protect('reviews.comments');
CALL tenancy.protect('reviews.verifications');
SET ROLE plat_reviews_owner;

GRANT SELECT, INSERT, UPDATE ON reviews.reviews, reviews.queues, reviews.comments TO plat_reviews;
GRANT SELECT, INSERT, DELETE ON reviews.reviewers TO plat_reviews;
GRANT SELECT, INSERT ON reviews.queue_moves, reviews.verifications TO plat_reviews;
GRANT REFERENCES ON reviews.reviews TO plat_builds_owner, plat_releases_owner;
GRANT USAGE ON SCHEMA reviews TO plat_builds_owner, plat_releases_owner;
RESET ROLE;
