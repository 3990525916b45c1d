-- Reviews, the merge queue and its log, gate runs, and why each merge is believed. Constraints and triggers judge every
-- change, so that no caller and no race leaves two reviews at MERGE or a merge without its reason.

SET ROLE plat_reviews_owner;

CREATE TABLE reviews.queues (
  tenant_id uuid NOT NULL,
  target_branch text NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  last_ticket bigint NOT NULL DEFAULT 0,
  last_merge bigint NOT NULL DEFAULT 0,
  CONSTRAINT queues_pkey PRIMARY KEY (tenant_id, target_branch)
);
COMMENT ON TABLE reviews.queues IS
  'One row for each (tenant, target branch). Every move of the queue holds the lock of this row. It counts moves '
  '(version), tickets and merges. The repositories of a branch share it. Triggers refuse a change that the log does '
  'not have, and a deletion.';

CREATE TABLE reviews.reviews (
  tenant_id uuid NOT NULL,
  review_id uuid NOT NULL,
  author_user_id uuid NOT NULL,
  name text NOT NULL,
  repository text,
  target_branch text NOT NULL,
  source_branch text NOT NULL,
  status text NOT NULL DEFAULT 'OPEN',
  last_failed_build_id uuid,
  last_ready_build_id uuid,
  last_merged_build_id uuid,
  ticket bigint,
  merge_sequence bigint,
  merged_commit_id text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT reviews_pkey PRIMARY KEY (tenant_id, review_id),
  CONSTRAINT reviews_tenant_id_author_user_id_fkey
    FOREIGN KEY (tenant_id, author_user_id) REFERENCES identity.users (tenant_id, user_id),
  CONSTRAINT reviews_check CHECK ((status = 'READY') = (ticket IS NOT NULL)),
  CONSTRAINT reviews_check1 CHECK (status NOT IN ('READY', 'MERGE') OR last_ready_build_id IS NOT NULL),
  CONSTRAINT reviews_check2 CHECK (status <> 'FAILED' OR last_failed_build_id IS NOT NULL),
  CONSTRAINT reviews_check3 CHECK (num_nulls(last_merged_build_id, merge_sequence, merged_commit_id) IN (0, 3)),
  CONSTRAINT reviews_check4 CHECK (last_merged_build_id IS NULL OR status = 'MERGED'),
  CONSTRAINT reviews_merged_commit_id_check CHECK (merged_commit_id ~ '^[0-9a-f]{40}$'),
  CONSTRAINT reviews_name_check CHECK (name <> '' AND length(name) <= 512),
  CONSTRAINT reviews_repository_check CHECK (repository <> ''),
  CONSTRAINT reviews_source_branch_check CHECK (source_branch <> '' AND length(source_branch) <= 255),
  CONSTRAINT reviews_status_check CHECK (status IN ('OPEN', 'CLOSED', 'FAILED', 'READY', 'MERGE', 'MERGED')),
  CONSTRAINT reviews_target_branch_check CHECK (target_branch <> '' AND length(target_branch) <= 255)
);
COMMENT ON TABLE reviews.reviews IS
  'One row for each review. Indexes allow one live name and one live pair of branches in a repository, and one review '
  'at MERGE for a repository and target. Triggers judge every change of the row (reviews.judge_move) and refuse a '
  'deletion.';
CREATE UNIQUE INDEX reviews_live_name
  ON reviews.reviews (tenant_id, repository, name) NULLS NOT DISTINCT WHERE status <> 'CLOSED';
CREATE UNIQUE INDEX reviews_live_pair
  ON reviews.reviews (tenant_id, repository, source_branch, target_branch) NULLS NOT DISTINCT
  WHERE status NOT IN ('MERGED', 'CLOSED');
CREATE UNIQUE INDEX reviews_one_merge
  ON reviews.reviews (tenant_id, repository, target_branch) NULLS NOT DISTINCT WHERE status = 'MERGE';
CREATE UNIQUE INDEX reviews_line
  ON reviews.reviews (tenant_id, target_branch, repository, ticket) NULLS NOT DISTINCT WHERE status = 'READY';
CREATE UNIQUE INDEX reviews_merge_order
  ON reviews.reviews (tenant_id, target_branch, repository, merge_sequence) WHERE merge_sequence IS NOT NULL;
CREATE INDEX reviews_newest ON reviews.reviews (tenant_id, created_at DESC, review_id DESC);
CREATE INDEX reviews_live
  ON reviews.reviews (tenant_id, status, created_at, review_id) WHERE status NOT IN ('MERGED', 'CLOSED');
CREATE INDEX reviews_merged_commit ON reviews.reviews (tenant_id, merged_commit_id) WHERE merged_commit_id IS NOT NULL;
CREATE INDEX reviews_waiting ON reviews.reviews (tenant_id, target_branch, ticket) WHERE status = 'READY';

CREATE TABLE reviews.queue_moves (
  tenant_id uuid NOT NULL,
  target_branch text NOT NULL,
  version bigint NOT NULL,
  review_id uuid NOT NULL,
  repository text,
  move text NOT NULL,
  ticket bigint,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  cause text NOT NULL,
  actor_user_id uuid NOT NULL,
  build_id uuid,
  reason text,
  nth bigint NOT NULL,
  CONSTRAINT queue_moves_pkey PRIMARY KEY (tenant_id, target_branch, version),
  CONSTRAINT queue_moves_tenant_id_review_id_fkey
    FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews (tenant_id, review_id),
  CONSTRAINT queue_moves_cause CHECK (
    (move = 'ready' AND cause = 'BUILD_SUCCEEDED'
      OR move = 'promote' AND cause = 'PROMOTED'
      OR move = 'promote' AND cause = 'PROMOTED_BY_OVERRIDE'
      OR move = 'requeue' AND cause = 'REQUEUED'
      OR move = 'fail' AND cause = 'BUILD_FAILED'
      OR move = 'fail' AND cause = 'GATE_FAILED'
      OR move = 'close' AND cause = 'CLOSED'
      OR move = 'merge' AND cause = 'MERGED'
      OR move = 'reconcile' AND cause = 'RECONCILED')
    AND (build_id IS NOT NULL) = (move IN ('ready', 'fail', 'merge'))
    AND (reason IS NOT NULL) = (cause = 'PROMOTED_BY_OVERRIDE')),
  CONSTRAINT queue_moves_move_check
    CHECK (move IN ('ready', 'promote', 'requeue', 'fail', 'close', 'merge', 'reconcile'))
);
COMMENT ON TABLE reviews.queue_moves IS
  'The log of the queues: one row for each move, numbered by the queue''s version, with its cause, its user, the '
  'build that is the cause and the reason that an override gave. nth counts the moves of a cause in the queue of the '
  'repository. A trigger refuses a change or a deletion, so that the order of a queue can be proven afterwards (npm '
  'run invariants). reviews.page_history reads a review''s history from it.';
CREATE INDEX queue_moves_of_review ON reviews.queue_moves (tenant_id, review_id, version);
CREATE INDEX queue_moves_of_cause ON reviews.queue_moves (tenant_id, target_branch, repository, cause, version);
CREATE INDEX queue_moves_newest ON reviews.queue_moves (created_at);

CREATE TABLE reviews.reviewers (
  tenant_id uuid NOT NULL,
  review_id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT reviewers_pkey PRIMARY KEY (tenant_id, review_id, user_id),
  CONSTRAINT reviewers_tenant_id_review_id_fkey
    FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews (tenant_id, review_id),
  CONSTRAINT reviewers_tenant_id_user_id_fkey
    FOREIGN KEY (tenant_id, user_id) REFERENCES identity.users (tenant_id, user_id)
);
COMMENT ON TABLE reviews.reviewers IS
  'The users who are assigned to each review. An assignment that is taken back is deleted.';
CREATE INDEX reviewers_user ON reviews.reviewers (tenant_id, user_id, review_id);

CREATE TABLE reviews.comments (
  tenant_id uuid NOT NULL,
  comment_id uuid NOT NULL,
  review_id uuid NOT NULL,
  creator_user_id uuid NOT NULL,
  parent_comment_id uuid,
  status text,
  commit_id text NOT NULL,
  file_path text NOT NULL,
  line int NOT NULL,
  body text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT comments_pkey PRIMARY KEY (tenant_id, comment_id),
  CONSTRAINT comments_tenant_id_review_id_comment_id_key UNIQUE (tenant_id, review_id, comment_id),
  CONSTRAINT comments_tenant_id_creator_user_id_fkey
    FOREIGN KEY (tenant_id, creator_user_id) REFERENCES identity.users (tenant_id, user_id),
  CONSTRAINT comments_tenant_id_review_id_fkey
    FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews (tenant_id, review_id),
  CONSTRAINT comments_tenant_id_review_id_parent_comment_id_fkey
    FOREIGN KEY (tenant_id, review_id, parent_comment_id) REFERENCES reviews.comments (tenant_id, review_id, comment_id),
  CONSTRAINT comments_body_check CHECK (body <> ''),
  CONSTRAINT comments_check CHECK ((parent_comment_id IS NULL) = (status IS NOT NULL)),
  CONSTRAINT comments_commit_id_check CHECK (commit_id ~ '^[0-9a-f]{40}$'),
  CONSTRAINT comments_line_check CHECK (line >= 1),
  CONSTRAINT comments_status_check CHECK (status IN ('OPEN', 'CLOSED'))
);
COMMENT ON TABLE reviews.comments IS
  'Comments on a line of a commit. A root opens a thread and has its status; a reply names its root and has none. An '
  'index allows one thread at an address.';
CREATE UNIQUE INDEX comments_one_root
  ON reviews.comments (tenant_id, review_id, commit_id, file_path, line) WHERE parent_comment_id IS NULL;
CREATE INDEX comments_open ON reviews.comments (tenant_id, review_id) WHERE status = 'OPEN';

CREATE TABLE reviews.verifications (
  tenant_id uuid NOT NULL,
  review_id uuid NOT NULL,
  route text NOT NULL,
  remote_url text NOT NULL,
  repository text NOT NULL,
  target_branch text NOT NULL,
  target_tip text NOT NULL,
  commit_id text,
  anchor_commit_id text,
  source_tip text,
  build_id uuid,
  release_error text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  parent_commit_id text,
  tree_id text,
  conditions text[] NOT NULL DEFAULT '{}',
  content_verdict text NOT NULL DEFAULT 'UNKNOWN',
  content_reason text DEFAULT 'not_computed',
  landed_commit_id text,
  built_on_commit_id text,
  content_findings jsonb NOT NULL DEFAULT '[]',
  content_findings_left_out int NOT NULL DEFAULT 0,
  written_in xid8 DEFAULT pg_current_xact_id(),
  CONSTRAINT verifications_pkey PRIMARY KEY (tenant_id, review_id),
  CONSTRAINT verifications_tenant_id_review_id_fkey
    FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews (tenant_id, review_id),
  CONSTRAINT verifications_anchor_commit_id_check CHECK (anchor_commit_id ~ '^[0-9a-f]{40}$'),
  CONSTRAINT verifications_built_on_commit_id_check CHECK (built_on_commit_id ~ '^[0-9a-f]{40}$'),
  CONSTRAINT verifications_check CHECK ((route = 'queue') = (commit_id IS NOT NULL AND build_id IS NOT NULL)),
  CONSTRAINT verifications_commit_id_check CHECK (commit_id ~ '^[0-9a-f]{40}$'),
  CONSTRAINT verifications_conditions_check CHECK (conditions <@ ARRAY['A1', 'A2', 'A3', 'B1', 'B2']),
  CONSTRAINT verifications_content_commit
    CHECK (content_verdict = 'UNKNOWN' OR num_nulls(commit_id, tree_id, source_tip) = 0),
  CONSTRAINT verifications_content_findings_check
    CHECK (jsonb_typeof(content_findings) = 'array' AND jsonb_array_length(content_findings) <= 20),
  CONSTRAINT verifications_content_findings_left_out_check CHECK (content_findings_left_out >= 0),
  CONSTRAINT verifications_content_reason CHECK ((content_verdict = 'EXACT') = (content_reason IS NULL)),
  CONSTRAINT verifications_content_reason_check CHECK (content_reason ~ '^[a-z_]{1,40}$'),
  CONSTRAINT verifications_content_verdict_check
    CHECK (content_verdict IN ('EXACT', 'SAME_CHANGE', 'BY_HAND', 'DIVERGENT', 'UNKNOWN')),
  CONSTRAINT verifications_landed_commit_id_check CHECK (landed_commit_id ~ '^[0-9a-f]{40}$'),
  CONSTRAINT verifications_parent_commit_id_check CHECK (parent_commit_id ~ '^[0-9a-f]{40}$'),
  CONSTRAINT verifications_route_check CHECK (route IN ('queue', 'reconciled')),
  CONSTRAINT verifications_source CHECK (route = 'queue' OR source_tip IS NOT NULL),
  CONSTRAINT verifications_source_tip_check CHECK (source_tip ~ '^[0-9a-f]{40}$'),
  CONSTRAINT verifications_target_tip_check CHECK (target_tip ~ '^[0-9a-f]{40}$'),
  CONSTRAINT verifications_tree_id_check CHECK (tree_id ~ '^[0-9a-f]{40}$')
);
COMMENT ON TABLE reviews.verifications IS
  'The reason why each MERGED is believed: one row for each merged review, with the facts that git showed and the '
  'verdict on the content. A trigger judges it (reviews.judge_verification), and another refuses a deletion.';
CREATE INDEX verifications_written ON reviews.verifications (tenant_id, written_in);

CREATE TABLE reviews.gate_runs (
  tenant_id uuid NOT NULL,
  gate_run_id uuid NOT NULL,
  source_branch text NOT NULL,
  target_branch text NOT NULL,
  source_commit text NOT NULL,
  merge_commit text,
  review_id uuid,
  review_name text,
  verdict text NOT NULL,
  failing_step text,
  log_ref text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  creator_user_id uuid NOT NULL,
  holder text,
  CONSTRAINT gate_runs_pkey PRIMARY KEY (tenant_id, gate_run_id),
  CONSTRAINT gate_runs_tenant_id_review_id_fkey
    FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews (tenant_id, review_id),
  CONSTRAINT gate_runs_check CHECK ((review_id IS NULL) = (review_name IS NULL)),
  CONSTRAINT gate_runs_check1 CHECK (merge_commit IS NOT NULL OR verdict IN ('FAILED', 'INCONCLUSIVE')),
  CONSTRAINT gate_runs_check2 CHECK (failing_step IS NOT NULL OR verdict <> 'FAILED'),
  CONSTRAINT gate_runs_check3 CHECK (failing_step IS NULL OR verdict IN ('FAILED', 'INCONCLUSIVE')),
  CONSTRAINT gate_runs_failing_step_check CHECK (failing_step <> ''),
  CONSTRAINT gate_runs_holder_check CHECK (holder <> '' AND length(holder) <= 512),
  CONSTRAINT gate_runs_log_ref_check CHECK (log_ref <> ''),
  CONSTRAINT gate_runs_merge_commit_check CHECK (merge_commit ~ '^[0-9a-f]{40}$'),
  CONSTRAINT gate_runs_source_branch_check CHECK (source_branch <> '' AND length(source_branch) <= 255),
  CONSTRAINT gate_runs_source_commit_check CHECK (source_commit ~ '^[0-9a-f]{40}$'),
  CONSTRAINT gate_runs_target_branch_check CHECK (target_branch <> '' AND length(target_branch) <= 255),
  CONSTRAINT gate_runs_verdict_check CHECK (verdict IN ('RUNNING', 'PASSED', 'FAILED', 'INCONCLUSIVE'))
);
COMMENT ON TABLE reviews.gate_runs IS
  'Reported attempts of the merge gate. They never move a review. An index allows one held RUNNING run for each '
  'review.';
CREATE INDEX gate_runs_newest ON reviews.gate_runs (tenant_id, created_at, gate_run_id);
CREATE INDEX gate_runs_target ON reviews.gate_runs (tenant_id, target_branch, created_at, gate_run_id);
CREATE INDEX gate_runs_source ON reviews.gate_runs (tenant_id, source_branch, created_at, gate_run_id);
CREATE INDEX gate_runs_verdict ON reviews.gate_runs (tenant_id, verdict, created_at, gate_run_id);
CREATE INDEX gate_runs_review
  ON reviews.gate_runs (tenant_id, review_id, created_at, gate_run_id) WHERE review_id IS NOT NULL;
CREATE UNIQUE INDEX gate_runs_held
  ON reviews.gate_runs (tenant_id, review_id)
  WHERE verdict = 'RUNNING' AND holder IS NOT NULL AND review_id IS NOT NULL;
CREATE INDEX gate_runs_ended_at_step
  ON reviews.gate_runs (tenant_id, target_branch, created_at) WHERE failing_step IS NOT NULL;
CREATE INDEX gate_runs_passed_merge ON reviews.gate_runs (tenant_id, merge_commit) WHERE verdict = 'PASSED';
CREATE INDEX gate_runs_passed_source
  ON reviews.gate_runs (tenant_id, source_commit, target_branch) WHERE verdict = 'PASSED';

CREATE TABLE reviews.later_contents (
  tenant_id uuid NOT NULL,
  review_id uuid NOT NULL,
  parent_commit_id text,
  tree_id text,
  commit_id text,
  source_tip text,
  landed_commit_id text,
  built_on_commit_id text,
  content_verdict text NOT NULL,
  content_reason text,
  content_findings jsonb NOT NULL,
  content_findings_left_out int NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  written_in xid8 DEFAULT pg_current_xact_id(),
  CONSTRAINT later_contents_pkey PRIMARY KEY (tenant_id, review_id),
  CONSTRAINT later_contents_tenant_id_review_id_fkey
    FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.verifications (tenant_id, review_id),
  CONSTRAINT later_contents_built_on_commit_id_check CHECK (built_on_commit_id ~ '^[0-9a-f]{40}$'),
  CONSTRAINT later_contents_check CHECK ((content_verdict = 'EXACT') = (content_reason IS NULL)),
  CONSTRAINT later_contents_check1 CHECK (content_verdict = 'UNKNOWN' OR num_nulls(commit_id, tree_id, source_tip) = 0),
  CONSTRAINT later_contents_commit_id_check CHECK (commit_id ~ '^[0-9a-f]{40}$'),
  CONSTRAINT later_contents_content_findings_check
    CHECK (jsonb_typeof(content_findings) = 'array' AND jsonb_array_length(content_findings) <= 20),
  CONSTRAINT later_contents_content_findings_left_out_check CHECK (content_findings_left_out >= 0),
  CONSTRAINT later_contents_content_reason_check CHECK (content_reason ~ '^[a-z_]{1,40}$'),
  CONSTRAINT later_contents_content_reason_check1 CHECK (content_reason IS DISTINCT FROM 'not_computed'),
  CONSTRAINT later_contents_content_verdict_check
    CHECK (content_verdict IN ('EXACT', 'SAME_CHANGE', 'BY_HAND', 'DIVERGENT', 'UNKNOWN')),
  CONSTRAINT later_contents_landed_commit_id_check CHECK (landed_commit_id ~ '^[0-9a-f]{40}$'),
  CONSTRAINT later_contents_parent_commit_id_check CHECK (parent_commit_id ~ '^[0-9a-f]{40}$'),
  CONSTRAINT later_contents_source_tip_check CHECK (source_tip ~ '^[0-9a-f]{40}$'),
  CONSTRAINT later_contents_tree_id_check CHECK (tree_id ~ '^[0-9a-f]{40}$')
);
COMMENT ON TABLE reviews.later_contents IS
  'The verdict on the content of a merge whose verification did not compute it (not_computed): one row for each '
  'merge, with the first verdict that was computed. A merge receipt takes it instead of the verdict in '
  'reviews.verifications.';
CREATE INDEX later_contents_written ON reviews.later_contents (tenant_id, written_in);

CREATE TABLE reviews.undone_work (
  tenant_id uuid NOT NULL,
  review_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  examined_at timestamptz,
  unknown_reason text,
  findings_left_out int NOT NULL DEFAULT 0,
  window_landings int,
  window_oldest_commit_id text,
  window_is_complete boolean,
  CONSTRAINT undone_work_pkey PRIMARY KEY (tenant_id, review_id),
  CONSTRAINT undone_work_tenant_id_review_id_fkey
    FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.verifications (tenant_id, review_id),
  CONSTRAINT undone_work_answer CHECK (num_nonnulls(unknown_reason, window_landings) = num_nonnulls(examined_at)),
  CONSTRAINT undone_work_findings_left_out_check CHECK (findings_left_out >= 0),
  CONSTRAINT undone_work_unknown_reason_check CHECK (unknown_reason ~ '^[a-z_]{1,40}$'),
  CONSTRAINT undone_work_window CHECK ((window_landings IS NULL) = (window_is_complete IS NULL)),
  CONSTRAINT undone_work_window_landings_check CHECK (window_landings >= 0),
  CONSTRAINT undone_work_window_oldest_commit_id_check CHECK (window_oldest_commit_id ~ '^[0-9a-f]{40}$')
);
COMMENT ON TABLE reviews.undone_work IS
  'The comparison of each merge with the landings before it: one row for each merge, without an answer until it is '
  'examined. Advice: no status depends on it.';
CREATE INDEX undone_work_due ON reviews.undone_work (tenant_id, created_at) WHERE examined_at IS NULL;

CREATE TABLE reviews.undone_findings (
  tenant_id uuid NOT NULL,
  review_id uuid NOT NULL,
  place int NOT NULL,
  commit_id text NOT NULL,
  path text NOT NULL,
  in_file text,
  first_line int,
  last_line int,
  kind text NOT NULL,
  certainty text NOT NULL,
  source_commit_id text,
  is_said boolean NOT NULL,
  CONSTRAINT undone_findings_pkey PRIMARY KEY (tenant_id, review_id, place),
  CONSTRAINT undone_findings_tenant_id_review_id_fkey
    FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.undone_work (tenant_id, review_id),
  CONSTRAINT undone_findings_certainty_check CHECK (certainty IN ('sure', 'likely', 'possible')),
  CONSTRAINT undone_findings_commit_id_check CHECK (commit_id ~ '^[0-9a-f]{40}$'),
  CONSTRAINT undone_findings_in_file_check CHECK (in_file IN ('target', 'landed')),
  CONSTRAINT undone_findings_kind_check
    CHECK (kind IN ('dropped_by_merge', 'dropped_in_conflict', 'dropped_by_landing', 'restored', 'deleted')),
  CONSTRAINT undone_findings_lines CHECK (num_nulls(first_line, last_line) IN (0, 2) AND first_line <= last_line),
  CONSTRAINT undone_findings_path_check CHECK (path <> '' AND length(path) <= 300),
  CONSTRAINT undone_findings_place_check CHECK (place BETWEEN 1 AND 100),
  CONSTRAINT undone_findings_source_commit_id_check CHECK (source_commit_id ~ '^[0-9a-f]{40}$')
);
COMMENT ON TABLE reviews.undone_findings IS
  'The places at which a merge takes back work of an earlier landing, the surest first: commit_id is the earlier '
  'landing, source_commit_id the commit of the source that did it, and is_said whether the review says it.';
CREATE INDEX undone_findings_commit ON reviews.undone_findings (tenant_id, commit_id);

CREATE TYPE reviews.head_state AS (
  head reviews.reviews,
  occupant reviews.reviews
);
COMMENT ON TYPE reviews.head_state IS
  'The state that a promotion finds: the review at the head of the queue, and the review that occupies its slot. A '
  'part is empty if there is none.';

RESET ROLE;

CALL tenancy.protect('reviews.queues');
CREATE TRIGGER judge BEFORE INSERT OR UPDATE ON reviews.queues FOR EACH ROW EXECUTE FUNCTION reviews.judge_queue();
CREATE TRIGGER refuse_delete BEFORE DELETE ON reviews.queues FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();

CALL tenancy.protect('reviews.reviews');
CREATE POLICY figures ON reviews.reviews FOR SELECT TO plat_figures_owner USING (true);
CREATE POLICY sealing ON reviews.reviews FOR SELECT TO plat_ledger_sealer USING (true);
CREATE TRIGGER judge_move BEFORE UPDATE ON reviews.reviews FOR EACH ROW EXECUTE FUNCTION reviews.judge_move();
CREATE TRIGGER judge_new BEFORE INSERT ON reviews.reviews FOR EACH ROW EXECUTE FUNCTION reviews.judge_new_review();
CREATE TRIGGER refuse_delete BEFORE DELETE ON reviews.reviews FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();
GRANT REFERENCES ON reviews.reviews TO plat_builds_owner, plat_releases_owner;
GRANT SELECT (tenant_id, review_id, repository, target_branch, status, ticket) ON reviews.reviews TO plat_figures_owner;
GRANT SELECT (tenant_id, review_id, name, source_branch) ON reviews.reviews TO plat_ledger_owner;
GRANT SELECT (tenant_id, review_id, name, source_branch) ON reviews.reviews TO plat_ledger_sealer;

CALL tenancy.protect('reviews.queue_moves');
CREATE POLICY figures ON reviews.queue_moves FOR SELECT TO plat_figures_owner USING (true);
CREATE TRIGGER number_move BEFORE INSERT ON reviews.queue_moves FOR EACH ROW EXECUTE FUNCTION reviews.number_move();
CREATE TRIGGER refuse_change
  BEFORE DELETE OR UPDATE ON reviews.queue_moves FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();
GRANT SELECT (tenant_id, target_branch, version, review_id, move, created_at)
  ON reviews.queue_moves TO plat_figures_owner;

CALL tenancy.protect('reviews.reviewers');

CALL tenancy.protect('reviews.comments');

CALL tenancy.protect('reviews.verifications');
CREATE POLICY sealing ON reviews.verifications FOR SELECT TO plat_ledger_sealer USING (true);
CREATE TRIGGER judge
  BEFORE INSERT OR UPDATE ON reviews.verifications FOR EACH ROW EXECUTE FUNCTION reviews.judge_verification();
CREATE TRIGGER refuse_delete
  BEFORE DELETE ON reviews.verifications FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();
GRANT SELECT ON reviews.verifications TO plat_ledger_owner, plat_ledger_sealer;

CALL tenancy.protect('reviews.gate_runs');

CALL tenancy.protect('reviews.later_contents');
CREATE POLICY sealing ON reviews.later_contents FOR SELECT TO plat_ledger_sealer USING (true);
GRANT SELECT ON reviews.later_contents TO plat_ledger_owner, plat_ledger_sealer;

CALL tenancy.protect('reviews.undone_work');

CALL tenancy.protect('reviews.undone_findings');
