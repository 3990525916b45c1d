-- The schema reviews after all migrations. Written by `npm run generate` from the catalogue of a database that
-- `npm run db -- migrate` made: for reading and reviewing, not for running. Partitions are left out.

-- Reviews, their reviewers and comments, the merge queue, gate runs, and the records of verified merges. The reviews
-- service is its only writer; a build report moves a review by reviews.apply_build.
CREATE SCHEMA reviews AUTHORIZATION plat_reviews_owner;
GRANT USAGE ON SCHEMA reviews TO plat_builds;
GRANT USAGE ON SCHEMA reviews TO plat_builds_owner;
GRANT USAGE ON SCHEMA reviews TO plat_figures_owner;
GRANT USAGE ON SCHEMA reviews TO plat_inspector;
GRANT USAGE ON SCHEMA reviews TO plat_ledger_owner;
GRANT USAGE ON SCHEMA reviews TO plat_ledger_sealer;
GRANT USAGE ON SCHEMA reviews TO plat_operations;
GRANT USAGE ON SCHEMA reviews TO plat_releases;
GRANT USAGE ON SCHEMA reviews TO plat_releases_owner;
GRANT USAGE ON SCHEMA reviews TO plat_reviews;

-- One row a (tenant, target branch), whose lock every move of the queue holds. It counts moves (version), tickets and
-- merges. The repositories of a branch share it. Triggers refuse a change that the log does not have, and a deletion.
CREATE TABLE reviews.queues (
  tenant_id uuid NOT NULL,
  target_branch text NOT NULL,
  version bigint NOT NULL DEFAULT 0,
  last_ticket bigint NOT NULL DEFAULT 0,
  last_merge bigint NOT NULL DEFAULT 0,
  CONSTRAINT queues_pkey PRIMARY KEY (tenant_id, target_branch)
);

-- One row a review. Indexes allow one live name and one live pair of branches a repository, and one review at MERGE a
-- repository and target. Triggers judge every change of the row (reviews.judge_move) and refuse a deletion.
CREATE TABLE reviews.reviews (
  tenant_id uuid NOT NULL,
  review_id uuid NOT NULL,
  author_user_id uuid NOT NULL,
  name text NOT NULL,
  repository text,
  target_branch text NOT NULL,
  source_branch text NOT NULL,
  status text NOT NULL DEFAULT 'OPEN'::text,
  last_failed_build_id uuid,
  last_ready_build_id uuid,
  last_merged_build_id uuid,
  ticket bigint,
  merge_sequence bigint,
  merged_commit_id text,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT reviews_pkey PRIMARY KEY (tenant_id, review_id),
  CONSTRAINT reviews_tenant_id_author_user_id_fkey FOREIGN KEY (tenant_id, author_user_id) REFERENCES identity.users(tenant_id, user_id),
  CONSTRAINT reviews_tenant_id_review_id_last_failed_build_id_fkey FOREIGN KEY (tenant_id, review_id, last_failed_build_id) REFERENCES builds.builds(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_merged_build_id_fkey FOREIGN KEY (tenant_id, review_id, last_merged_build_id) REFERENCES builds.builds(tenant_id, review_id, build_id),
  CONSTRAINT reviews_tenant_id_review_id_last_ready_build_id_fkey FOREIGN KEY (tenant_id, review_id, last_ready_build_id) REFERENCES builds.builds(tenant_id, review_id, build_id),
  CONSTRAINT reviews_check CHECK (((status = 'READY'::text) = (ticket IS NOT NULL))),
  CONSTRAINT reviews_check1 CHECK (((status <> ALL (ARRAY['READY'::text, 'MERGE'::text])) OR (last_ready_build_id IS NOT NULL))),
  CONSTRAINT reviews_check2 CHECK (((status <> 'FAILED'::text) OR (last_failed_build_id IS NOT NULL))),
  CONSTRAINT reviews_check3 CHECK ((num_nulls(last_merged_build_id, merge_sequence, merged_commit_id) = ANY (ARRAY[0, 3]))),
  CONSTRAINT reviews_check4 CHECK (((last_merged_build_id IS NULL) OR (status = 'MERGED'::text))),
  CONSTRAINT reviews_merged_commit_id_check CHECK ((merged_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT reviews_name_check CHECK (((name <> ''::text) AND (length(name) <= 512))),
  CONSTRAINT reviews_repository_check CHECK ((repository <> ''::text)),
  CONSTRAINT reviews_source_branch_check CHECK (((source_branch <> ''::text) AND (length(source_branch) <= 255))),
  CONSTRAINT reviews_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'CLOSED'::text, 'FAILED'::text, 'READY'::text, 'MERGE'::text, 'MERGED'::text]))),
  CONSTRAINT reviews_target_branch_check CHECK (((target_branch <> ''::text) AND (length(target_branch) <= 255)))
);

-- The log of the queues: one row a move, numbered by the queue's version, with its cause, who made it, the build that
-- is the cause and the reason that an override gave. Rows from before 0052 have none of these four. nth counts the
-- moves of a cause in a queue, the repository's own; rows from before 0080 have none. A trigger refuses a change or a
-- deletion, so that the order of a queue can be proven afterwards (npm run invariants). reviews.page_history reads a
-- review's history from it.
CREATE TABLE reviews.queue_moves (
  tenant_id uuid NOT NULL,
  target_branch text NOT NULL,
  version bigint NOT NULL,
  review_id uuid NOT NULL,
  repository text,
  move text NOT NULL,
  ticket bigint,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  cause text,
  actor_user_id uuid,
  build_id uuid,
  reason text,
  nth bigint,
  CONSTRAINT queue_moves_pkey PRIMARY KEY (tenant_id, target_branch, version),
  CONSTRAINT queue_moves_tenant_id_review_id_build_id_fkey FOREIGN KEY (tenant_id, review_id, build_id) REFERENCES builds.builds(tenant_id, review_id, build_id),
  CONSTRAINT queue_moves_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews(tenant_id, review_id),
  CONSTRAINT queue_moves_cause CHECK (
CASE
    WHEN (cause IS NULL) THEN (num_nonnulls(actor_user_id, build_id, reason) = 0)
    ELSE ((actor_user_id IS NOT NULL) AND ((((((((((move = 'ready'::text) AND (cause = 'BUILD_SUCCEEDED'::text)) OR ((move = 'promote'::text) AND (cause = 'PROMOTED'::text))) OR ((move = 'promote'::text) AND (cause = 'PROMOTED_BY_OVERRIDE'::text))) OR ((move = 'requeue'::text) AND (cause = 'REQUEUED'::text))) OR ((move = 'fail'::text) AND (cause = 'BUILD_FAILED'::text))) OR ((move = 'fail'::text) AND (cause = 'GATE_FAILED'::text))) OR ((move = 'close'::text) AND (cause = 'CLOSED'::text))) OR ((move = 'merge'::text) AND (cause = 'MERGED'::text))) OR ((move = 'reconcile'::text) AND (cause = 'RECONCILED'::text))) AND ((build_id IS NOT NULL) = (move = ANY (ARRAY['ready'::text, 'fail'::text, 'merge'::text]))) AND ((reason IS NULL) OR (cause = 'PROMOTED_BY_OVERRIDE'::text)))
END),
  CONSTRAINT queue_moves_move_check CHECK ((move = ANY (ARRAY['ready'::text, 'promote'::text, 'requeue'::text, 'fail'::text, 'close'::text, 'merge'::text, 'reconcile'::text])))
);

-- Who is assigned to review what. An assignment that is taken back is deleted.
CREATE TABLE reviews.reviewers (
  tenant_id uuid NOT NULL,
  review_id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT reviewers_pkey PRIMARY KEY (tenant_id, review_id, user_id),
  CONSTRAINT reviewers_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews(tenant_id, review_id),
  CONSTRAINT reviewers_tenant_id_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES identity.users(tenant_id, user_id)
);

-- Comments on a line of a commit. A root opens a thread and has its status; a reply names its root and has none. An
-- index allows one thread an address.
CREATE TABLE reviews.comments (
  tenant_id uuid NOT NULL,
  comment_id uuid NOT NULL,
  review_id uuid NOT NULL,
  creator_user_id uuid NOT NULL,
  parent_comment_id uuid,
  status text,
  commit_id text NOT NULL,
  file_path text NOT NULL,
  line integer NOT NULL,
  body text NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT comments_pkey PRIMARY KEY (tenant_id, comment_id),
  CONSTRAINT comments_tenant_id_review_id_comment_id_key UNIQUE (tenant_id, review_id, comment_id),
  CONSTRAINT comments_tenant_id_creator_user_id_fkey FOREIGN KEY (tenant_id, creator_user_id) REFERENCES identity.users(tenant_id, user_id),
  CONSTRAINT comments_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews(tenant_id, review_id),
  CONSTRAINT comments_tenant_id_review_id_parent_comment_id_fkey FOREIGN KEY (tenant_id, review_id, parent_comment_id) REFERENCES reviews.comments(tenant_id, review_id, comment_id),
  CONSTRAINT comments_body_check CHECK ((body <> ''::text)),
  CONSTRAINT comments_check CHECK (((parent_comment_id IS NULL) = (status IS NOT NULL))),
  CONSTRAINT comments_commit_id_check CHECK ((commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT comments_line_check CHECK ((line >= 1)),
  CONSTRAINT comments_status_check CHECK ((status = ANY (ARRAY['OPEN'::text, 'CLOSED'::text])))
);

-- Why each MERGED is believed: one row a merged review, with what git showed and the verdict on the content. A
-- trigger judges it (reviews.judge_verification), and another refuses a deletion.
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
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  parent_commit_id text,
  tree_id text,
  conditions text[] NOT NULL DEFAULT '{}'::text[],
  content_verdict text NOT NULL DEFAULT 'UNKNOWN'::text,
  content_reason text DEFAULT 'not_computed'::text,
  statement_version smallint,
  landed_commit_id text,
  built_on_commit_id text,
  content_findings jsonb NOT NULL DEFAULT '[]'::jsonb,
  content_findings_left_out integer NOT NULL DEFAULT 0,
  written_in xid8 DEFAULT pg_current_xact_id(),
  CONSTRAINT verifications_pkey PRIMARY KEY (tenant_id, review_id),
  CONSTRAINT verifications_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews(tenant_id, review_id),
  CONSTRAINT verifications_anchor_commit_id_check CHECK ((anchor_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT verifications_built_on_commit_id_check CHECK ((built_on_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT verifications_check CHECK (((route = 'queue'::text) = ((commit_id IS NOT NULL) AND (build_id IS NOT NULL)))),
  CONSTRAINT verifications_commit_id_check CHECK ((commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT verifications_conditions_check CHECK ((conditions <@ ARRAY['A1'::text, 'A2'::text, 'A3'::text, 'B1'::text, 'B2'::text])),
  CONSTRAINT verifications_content_commit CHECK (((content_verdict = 'UNKNOWN'::text) OR (num_nulls(commit_id, tree_id, source_tip) = 0))),
  CONSTRAINT verifications_content_findings_check CHECK (((jsonb_typeof(content_findings) = 'array'::text) AND (jsonb_array_length(content_findings) <= 20))),
  CONSTRAINT verifications_content_findings_left_out_check CHECK ((content_findings_left_out >= 0)),
  CONSTRAINT verifications_content_reason CHECK (((content_verdict = 'EXACT'::text) = (content_reason IS NULL))),
  CONSTRAINT verifications_content_reason_check CHECK ((content_reason ~ '^[a-z_]{1,40}$'::text)),
  CONSTRAINT verifications_content_verdict_check CHECK ((content_verdict = ANY (ARRAY['EXACT'::text, 'SAME_CHANGE'::text, 'DIVERGENT'::text, 'UNKNOWN'::text]))),
  CONSTRAINT verifications_landed_commit_id_check CHECK ((landed_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT verifications_parent_commit_id_check CHECK ((parent_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT verifications_route_check CHECK ((route = ANY (ARRAY['queue'::text, 'reconciled'::text]))),
  CONSTRAINT verifications_source CHECK (((route = 'queue'::text) OR (source_tip IS NOT NULL))),
  CONSTRAINT verifications_source_tip_check CHECK ((source_tip ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT verifications_statement_version_check CHECK ((statement_version = 2)),
  CONSTRAINT verifications_target_tip_check CHECK ((target_tip ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT verifications_tree_id_check CHECK ((tree_id ~ '^[0-9a-f]{40}$'::text))
);

-- Reported attempts of the merge gate. They never move a review. An index allows one held run that is RUNNING a
-- review.
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
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  creator_user_id uuid,
  holder text,
  CONSTRAINT gate_runs_pkey PRIMARY KEY (tenant_id, gate_run_id),
  CONSTRAINT gate_runs_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.reviews(tenant_id, review_id),
  CONSTRAINT gate_runs_check CHECK (((review_id IS NULL) = (review_name IS NULL))),
  CONSTRAINT gate_runs_check1 CHECK (((merge_commit IS NOT NULL) OR (verdict = ANY (ARRAY['FAILED'::text, 'INCONCLUSIVE'::text])))),
  CONSTRAINT gate_runs_check2 CHECK (((failing_step IS NOT NULL) OR (verdict <> 'FAILED'::text))),
  CONSTRAINT gate_runs_check3 CHECK (((failing_step IS NULL) OR (verdict = ANY (ARRAY['FAILED'::text, 'INCONCLUSIVE'::text])))),
  CONSTRAINT gate_runs_failing_step_check CHECK ((failing_step <> ''::text)),
  CONSTRAINT gate_runs_holder_check CHECK (((holder <> ''::text) AND (length(holder) <= 512))),
  CONSTRAINT gate_runs_log_ref_check CHECK ((log_ref <> ''::text)),
  CONSTRAINT gate_runs_merge_commit_check CHECK ((merge_commit ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT gate_runs_source_branch_check CHECK (((source_branch <> ''::text) AND (length(source_branch) <= 255))),
  CONSTRAINT gate_runs_source_commit_check CHECK ((source_commit ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT gate_runs_target_branch_check CHECK (((target_branch <> ''::text) AND (length(target_branch) <= 255))),
  CONSTRAINT gate_runs_verdict_check CHECK ((verdict = ANY (ARRAY['RUNNING'::text, 'PASSED'::text, 'FAILED'::text, 'INCONCLUSIVE'::text])))
);

-- The verdict on the content of a merge whose verification did not compute it (not_computed): one row a merge, the
-- first that is computed. A merge receipt takes it instead of the verdict in reviews.verifications.
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
  content_findings_left_out integer NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT clock_timestamp(),
  written_in xid8 DEFAULT pg_current_xact_id(),
  CONSTRAINT later_contents_pkey PRIMARY KEY (tenant_id, review_id),
  CONSTRAINT later_contents_tenant_id_review_id_fkey FOREIGN KEY (tenant_id, review_id) REFERENCES reviews.verifications(tenant_id, review_id),
  CONSTRAINT later_contents_built_on_commit_id_check CHECK ((built_on_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT later_contents_check CHECK (((content_verdict = 'EXACT'::text) = (content_reason IS NULL))),
  CONSTRAINT later_contents_check1 CHECK (((content_verdict = 'UNKNOWN'::text) OR (num_nulls(commit_id, tree_id, source_tip) = 0))),
  CONSTRAINT later_contents_commit_id_check CHECK ((commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT later_contents_content_findings_check CHECK (((jsonb_typeof(content_findings) = 'array'::text) AND (jsonb_array_length(content_findings) <= 20))),
  CONSTRAINT later_contents_content_findings_left_out_check CHECK ((content_findings_left_out >= 0)),
  CONSTRAINT later_contents_content_reason_check CHECK ((content_reason ~ '^[a-z_]{1,40}$'::text)),
  CONSTRAINT later_contents_content_reason_check1 CHECK ((content_reason IS DISTINCT FROM 'not_computed'::text)),
  CONSTRAINT later_contents_content_verdict_check CHECK ((content_verdict = ANY (ARRAY['EXACT'::text, 'SAME_CHANGE'::text, 'DIVERGENT'::text, 'UNKNOWN'::text]))),
  CONSTRAINT later_contents_landed_commit_id_check CHECK ((landed_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT later_contents_parent_commit_id_check CHECK ((parent_commit_id ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT later_contents_source_tip_check CHECK ((source_tip ~ '^[0-9a-f]{40}$'::text)),
  CONSTRAINT later_contents_tree_id_check CHECK ((tree_id ~ '^[0-9a-f]{40}$'::text))
);

-- What a promotion finds: the review at the head of the queue, and the review that occupies its slot. A part is empty
-- if there is none.
CREATE TYPE reviews.head_state AS (
  head reviews.reviews,
  occupant reviews.reviews
);

CREATE UNIQUE INDEX reviews_line ON reviews.reviews USING btree (tenant_id, target_branch, repository, ticket) NULLS NOT DISTINCT WHERE (status = 'READY'::text);
CREATE INDEX reviews_live ON reviews.reviews USING btree (tenant_id, status, created_at, review_id) WHERE (status <> ALL (ARRAY['MERGED'::text, 'CLOSED'::text]));
CREATE UNIQUE INDEX reviews_live_name ON reviews.reviews USING btree (tenant_id, repository, name) NULLS NOT DISTINCT WHERE (status <> 'CLOSED'::text);
CREATE UNIQUE INDEX reviews_live_pair ON reviews.reviews USING btree (tenant_id, repository, source_branch, target_branch) NULLS NOT DISTINCT WHERE (status <> ALL (ARRAY['MERGED'::text, 'CLOSED'::text]));
CREATE UNIQUE INDEX reviews_merge_order ON reviews.reviews USING btree (tenant_id, target_branch, repository, merge_sequence) WHERE (merge_sequence IS NOT NULL);
CREATE INDEX reviews_newest ON reviews.reviews USING btree (tenant_id, created_at DESC, review_id DESC);
CREATE UNIQUE INDEX reviews_one_merge ON reviews.reviews USING btree (tenant_id, repository, target_branch) NULLS NOT DISTINCT WHERE (status = 'MERGE'::text);
CREATE INDEX reviews_waiting ON reviews.reviews USING btree (tenant_id, target_branch, ticket) WHERE (status = 'READY'::text);
CREATE INDEX queue_moves_newest ON reviews.queue_moves USING btree (created_at);
CREATE INDEX queue_moves_of_cause ON reviews.queue_moves USING btree (tenant_id, target_branch, repository, cause, version);
CREATE INDEX queue_moves_of_review ON reviews.queue_moves USING btree (tenant_id, review_id, version);
CREATE INDEX reviewers_user ON reviews.reviewers USING btree (tenant_id, user_id, review_id);
CREATE UNIQUE INDEX comments_one_root ON reviews.comments USING btree (tenant_id, review_id, commit_id, file_path, line) WHERE (parent_comment_id IS NULL);
CREATE INDEX comments_open ON reviews.comments USING btree (tenant_id, review_id) WHERE (status = 'OPEN'::text);
CREATE INDEX verifications_written ON reviews.verifications USING btree (tenant_id, written_in);
CREATE INDEX gate_runs_ended_at_step ON reviews.gate_runs USING btree (tenant_id, target_branch, created_at) WHERE (failing_step IS NOT NULL);
CREATE UNIQUE INDEX gate_runs_held ON reviews.gate_runs USING btree (tenant_id, review_id) WHERE ((verdict = 'RUNNING'::text) AND (holder IS NOT NULL) AND (review_id IS NOT NULL));
CREATE INDEX gate_runs_newest ON reviews.gate_runs USING btree (tenant_id, created_at, gate_run_id);
CREATE INDEX gate_runs_passed_merge ON reviews.gate_runs USING btree (tenant_id, merge_commit) WHERE (verdict = 'PASSED'::text);
CREATE INDEX gate_runs_passed_source ON reviews.gate_runs USING btree (tenant_id, source_commit, target_branch) WHERE (verdict = 'PASSED'::text);
CREATE INDEX gate_runs_review ON reviews.gate_runs USING btree (tenant_id, review_id, created_at, gate_run_id) WHERE (review_id IS NOT NULL);
CREATE INDEX gate_runs_source ON reviews.gate_runs USING btree (tenant_id, source_branch, created_at, gate_run_id);
CREATE INDEX gate_runs_target ON reviews.gate_runs USING btree (tenant_id, target_branch, created_at, gate_run_id);
CREATE INDEX gate_runs_verdict ON reviews.gate_runs USING btree (tenant_id, verdict, created_at, gate_run_id);
CREATE INDEX later_contents_written ON reviews.later_contents USING btree (tenant_id, written_in);

ALTER TABLE reviews.queues ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON reviews.queues FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.queues FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON reviews.queues USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE reviews.reviews ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY figures ON reviews.reviews FOR SELECT TO plat_figures_owner USING (true);
CREATE POLICY inspection ON reviews.reviews FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.reviews FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY sealing ON reviews.reviews FOR SELECT TO plat_ledger_sealer USING (true);
CREATE POLICY tenant ON reviews.reviews USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE reviews.queue_moves ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY figures ON reviews.queue_moves FOR SELECT TO plat_figures_owner USING (true);
CREATE POLICY inspection ON reviews.queue_moves FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.queue_moves FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON reviews.queue_moves USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE reviews.reviewers ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON reviews.reviewers FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.reviewers FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON reviews.reviewers USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE reviews.comments ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON reviews.comments FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.comments FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON reviews.comments USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE reviews.verifications ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON reviews.verifications FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.verifications FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY sealing ON reviews.verifications FOR SELECT TO plat_ledger_sealer USING (true);
CREATE POLICY tenant ON reviews.verifications USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE reviews.gate_runs ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON reviews.gate_runs FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.gate_runs FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY tenant ON reviews.gate_runs USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

ALTER TABLE reviews.later_contents ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
CREATE POLICY inspection ON reviews.later_contents FOR SELECT TO plat_inspector USING (true);
CREATE POLICY operations_published ON reviews.later_contents FOR SELECT TO plat_reviews_owner USING (( SELECT tenancy.across() AS across));
CREATE POLICY sealing ON reviews.later_contents FOR SELECT TO plat_ledger_sealer USING (true);
CREATE POLICY tenant ON reviews.later_contents USING ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id))) WITH CHECK ((tenant_id = ( SELECT tenancy.tenant_id() AS tenant_id)));

-- Moves a review to MERGED by reconciliation as verified, and returns it; it sets no anchor and queues no release. No
-- row, and no change, if status or repository are no longer those of the judgement. The reviews service calls it with
-- what the verifier has confirmed.
CREATE OR REPLACE FUNCTION reviews.accept_history_merge(tenant uuid, review uuid, expected_status text, expected_repo text, repo text, proof jsonb)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  subject reviews.reviews := (SELECT r FROM reviews.lock_review(tenant, review) r);
  merged  reviews.reviews;
BEGIN
  IF subject.status IS DISTINCT FROM expected_status OR subject.repository IS DISTINCT FROM expected_repo THEN
    RETURN;
  END IF;
  PERFORM reviews.log_move(subject, 'reconcile');
  PERFORM reviews.record_verification(subject, NULL, repo, proof, NULL);
  UPDATE reviews.reviews r SET status = 'MERGED', repository = repo, ticket = NULL, updated_at = clock_timestamp()
   WHERE r.tenant_id = tenant AND r.review_id = review
  RETURNING r.* INTO STRICT merged;
  RETURN NEXT merged;
END
$function$;

-- Moves a review from MERGE to MERGED as verified, queues its release under a savepoint, and returns the review with
-- the error of the release, if any. No row, and no change, if status, repository or anchor are no longer those of the
-- judgement. The reviews service calls it with what the verifier has confirmed.
CREATE OR REPLACE FUNCTION reviews.accept_queue_merge(tenant uuid, review uuid, build uuid, release uuid, expected_repo text, repo text, proof jsonb)
 RETURNS TABLE(merged reviews.reviews, release_error text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  subject  reviews.reviews := (SELECT r FROM reviews.lock_review(tenant, review) r);
  sequence bigint;
BEGIN
  IF subject.status IS DISTINCT FROM 'MERGE' OR subject.repository IS DISTINCT FROM expected_repo
     OR reviews.anchor(tenant, subject.target_branch, repo) IS DISTINCT FROM proof ->> 'anchorCommitId' THEN
    RETURN;
  END IF;
  sequence := reviews.log_move(subject, 'merge', build);
  -- The block is the savepoint. Decision B13.
  BEGIN
    PERFORM releases.enqueue(tenant, release, review, subject.target_branch, proof ->> 'commitId');
  EXCEPTION WHEN OTHERS THEN
    release_error := SQLERRM;
  END;
  PERFORM reviews.record_verification(subject, build, repo, proof, release_error);
  UPDATE reviews.reviews r
     SET status = 'MERGED', repository = repo, last_merged_build_id = build, merge_sequence = sequence,
         merged_commit_id = proof ->> 'commitId', updated_at = clock_timestamp()
   WHERE r.tenant_id = tenant AND r.review_id = review
  RETURNING r.* INTO STRICT merged;
  RETURN NEXT;
END
$function$;

-- Assigns a user to a review and returns the assignment. Foreign keys refuse a review or user of another tenant, the
-- primary key a second assignment. The reviews service calls it for POST /v1/reviews/{review_id}/reviewers.
CREATE OR REPLACE FUNCTION reviews.add_reviewer(tenant uuid, review uuid, usr uuid)
 RETURNS SETOF reviews.reviewers
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
    INSERT INTO reviews.reviewers (tenant_id, review_id, user_id) VALUES (tenant, review, usr) RETURNING *;
END
$function$;

-- Promotes the head of a queue to MERGE and returns it. Refuses with MERGE_QUEUE_AMBIGUOUS, MERGE_QUEUE_OCCUPIED or
-- EMPTY_QUEUE and, unless override, with unresolved_threads if a thread of the head is OPEN. The reviews service
-- calls it for POST /v1/reviews/merge-queue/advance and override-advance, which gives the reason that the log keeps.
CREATE OR REPLACE FUNCTION reviews.advance(tenant uuid, target text, repo text, override boolean, reason text DEFAULT NULL::text)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  state   reviews.head_state;
  threads bigint;
BEGIN
  PERFORM reviews.lock_queue(tenant, target);
  state := reviews.look_at_head(tenant, target, repo);
  IF (state.occupant).review_id IS NOT NULL THEN
    PERFORM tenancy.refuse('MERGE_QUEUE_OCCUPIED', jsonb_build_object(
      'targetBranch', target, 'reviewId', (state.occupant).review_id, 'name', (state.occupant).name,
      'sourceBranch', (state.occupant).source_branch));
  END IF;
  IF (state.head).review_id IS NULL THEN
    PERFORM tenancy.refuse('EMPTY_QUEUE');
  END IF;
  IF NOT override THEN
    -- Its columns are settled by the queue's lock; this only waits for threads that are being opened.
    PERFORM FROM reviews.reviews r
      WHERE r.tenant_id = tenant AND r.review_id = (state.head).review_id FOR NO KEY UPDATE;
    threads := reviews.open_threads(state.head);
    IF threads > 0 THEN
      PERFORM tenancy.refuse('unresolved_threads', jsonb_build_object(
        'reviewId', (state.head).review_id, 'unresolvedThreads', threads));
    END IF;
  END IF;
  RETURN NEXT reviews.promote(state.head, override, reason);
END
$function$;

-- Returns the commit of the last merge through the queue of a target and repository, from which the next one must
-- descend; NULL if there is none.
CREATE OR REPLACE FUNCTION reviews.anchor(tenant uuid, target text, repo text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT r.merged_commit_id FROM reviews.reviews r
   WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository = repo AND r.merge_sequence IS NOT NULL
   ORDER BY r.merge_sequence DESC LIMIT 1
$function$;

-- Moves a review by a build that is stored, in the transaction of its report: green and RECORDED to READY, and on to
-- MERGE if reviews.may_continue; red of any kind to FAILED. It reads kind and outcome from the stored build and
-- ignores its last two parameters. builds.report_review_build calls it.
CREATE OR REPLACE FUNCTION reviews.apply_build(tenant uuid, review uuid, build uuid, build_kind text, build_successful boolean)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  subject reviews.reviews := (SELECT r FROM reviews.lock_review(tenant, review) r);
  stored  record;
BEGIN
  SELECT f.kind, f.successful INTO stored FROM builds.build_facts(tenant, build) f WHERE f.review_id = review;
  IF stored.successful AND stored.kind = 'RECORDED' AND subject.status IN ('OPEN', 'FAILED') THEN
    subject := reviews.make_ready(subject, build);
    IF reviews.may_continue(subject) THEN
      PERFORM reviews.promote(subject);
    END IF;
  ELSIF NOT stored.successful AND subject.status NOT IN ('MERGED', 'CLOSED') THEN
    PERFORM reviews.fail(subject, build);
  END IF;
END
$function$;

-- Takes the locks of reviews.lock_review and returns the name of the review, or NULL if the tenant has none of that
-- id. builds.report_review_build calls it before it stores the report.
CREATE OR REPLACE FUNCTION reviews.begin_build_report(tenant uuid, review uuid)
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT r.name FROM reviews.lock_review(tenant, review) r $function$;

-- Takes the locks of reviews.lock_review and returns the review; no row if the tenant has none of that id. The
-- reviews service calls it first for PATCH /v1/reviews/{review_id}/status, and decides under the lock.
CREATE OR REPLACE FUNCTION reviews.begin_move(tenant uuid, review uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT * FROM reviews.lock_review(tenant, review) $function$;

-- Moves a review to CLOSED, and frees its place. Returns it as it then stands. The caller holds the queue's lock.
CREATE OR REPLACE FUNCTION reviews.close(subject reviews.reviews)
 RETURNS reviews.reviews
 LANGUAGE plpgsql
AS $function$
DECLARE
  changed reviews.reviews;
BEGIN
  PERFORM reviews.log_move(subject, 'close');
  UPDATE reviews.reviews r SET status = 'CLOSED', ticket = NULL, updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$function$;

-- Moves a review to CLOSED, and returns it. The trigger refuses it for a review at MERGE, MERGED or CLOSED. The
-- reviews service calls it for PATCH status CLOSED.
CREATE OR REPLACE FUNCTION reviews.close_review(tenant uuid, review uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.close(r) m $function$;

-- Returns the verdict on the content of each landing of visible reviews, as their receipts have it. The reviews
-- service calls it for GET /v1/reviews and GET /v1/reviews/{review_id}.
CREATE OR REPLACE FUNCTION reviews.content_verdicts(tenant uuid, wanted uuid[])
 RETURNS TABLE(review_id uuid, content_verdict text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT v.review_id, coalesce(l.content_verdict, v.content_verdict)
    FROM reviews.verifications v
    LEFT JOIN reviews.later_contents l ON l.tenant_id = v.tenant_id AND l.review_id = v.review_id
   WHERE v.tenant_id = ANY (identity.readable_tenants(tenant)) AND v.review_id = ANY (wanted)
$function$;

-- Returns how many moves of a cause the queue of one repository, or of none, has had up to a version. It reads one
-- row, unless that is from before 0080. reviews.number_move and reviews.queue_statistics call it.
CREATE OR REPLACE FUNCTION reviews.count_moves(tenant uuid, target text, repo text, of_cause text, up_to bigint DEFAULT NULL::bigint)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  last reviews.queue_moves := reviews.last_move(tenant, target, repo, of_cause, up_to);
BEGIN
  IF last.version IS NULL OR last.nth IS NOT NULL THEN
    RETURN coalesce(last.nth, 0);
  END IF;
  -- Moves from before 0080 alone.
  RETURN (SELECT count(*) FROM reviews.queue_moves m
           WHERE m.tenant_id = tenant AND m.target_branch = target AND m.repository IS NOT DISTINCT FROM repo
             AND m.cause = of_cause AND m.version <= last.version);
END
$function$;

-- Adds a comment of the transaction's user and returns it; without a parent it opens a thread. A second thread at an
-- address violates comments_one_root, a parent in another review its foreign key. The reviews service calls it for
-- POST /v1/reviews/{review_id}/comments.
CREATE OR REPLACE FUNCTION reviews.create_comment(tenant uuid, comment uuid, review uuid, parent uuid, commit text, path text, place integer, content text)
 RETURNS SETOF reviews.comments
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
    INSERT INTO reviews.comments (tenant_id, comment_id, review_id, creator_user_id, parent_comment_id, status,
                                  commit_id, file_path, line, body)
    VALUES (tenant, comment, review, tenancy.user_id(), parent, CASE WHEN parent IS NULL THEN 'OPEN' END, commit, path,
            place, content) RETURNING *;
END
$function$;

-- Adds a gate run of the transaction's user and returns it. Refuses with NOT_FOUND for a review that the tenant does
-- not have, and a held run with GATE_RUN_HELD, whose details name the holder, if another held run of the review is
-- RUNNING. Raises unique_violation if the tenant has a gate run of that id. The reviews service calls it for POST
-- /v1/gate-runs.
CREATE OR REPLACE FUNCTION reviews.create_gate_run(tenant uuid, run uuid, source text, target text, tip text, merge text, review uuid, decided text, step text, log text, held_by text DEFAULT NULL::text)
 RETURNS SETOF reviews.gate_runs
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  named   text;
  running reviews.gate_runs;
BEGIN
  IF review IS NOT NULL THEN
    SELECT r.name INTO named FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review;
    IF NOT FOUND THEN
      PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
    END IF;
  END IF;
  LOOP
    RETURN QUERY
    INSERT INTO reviews.gate_runs (tenant_id, gate_run_id, source_branch, target_branch, source_commit, merge_commit,
                                   review_id, review_name, verdict, failing_step, log_ref, holder, creator_user_id)
    VALUES (tenant, run, source, target, tip, merge, review, named, decided, step, log, held_by, tenancy.user_id())
    -- Waits for a run that is being started or decided at the same moment. The index is not named: while it is made,
    -- the release before starts runs that no other can hold.
    ON CONFLICT DO NOTHING
    RETURNING *;
    EXIT WHEN FOUND;
    -- The service makes a new id for each run, so only a login that was taken over names one that exists. No later
    -- insert of this id can succeed.
    IF EXISTS (SELECT FROM reviews.gate_runs g WHERE g.tenant_id = tenant AND g.gate_run_id = run) THEN
      RAISE unique_violation USING MESSAGE = 'a gate run of this id exists', CONSTRAINT = 'gate_runs_pkey';
    END IF;
    SELECT * INTO running FROM reviews.gate_runs g
     WHERE g.tenant_id = tenant AND g.review_id = review AND g.verdict = 'RUNNING' AND g.holder IS NOT NULL;
    -- Not found: it was decided since, and the insert is free to be made.
    IF FOUND THEN
      PERFORM tenancy.refuse('GATE_RUN_HELD', jsonb_strip_nulls(jsonb_build_object('gateRunId', running.gate_run_id,
        'holder', running.holder, 'creatorUserId', running.creator_user_id, 'mergeCommit', running.merge_commit,
        -- As an answer's times are: without the zeros at the end.
        'since', (to_json(running.created_at AT TIME ZONE 'UTC') #>> '{}') || 'Z')));
    END IF;
  END LOOP;
END
$function$;

-- Adds an OPEN review by the transaction's user, whatever author is given, and returns it. A taken name violates
-- reviews_live_name, a taken pair of branches reviews_live_pair. The reviews service calls it for POST /v1/reviews.
CREATE OR REPLACE FUNCTION reviews.create_review(tenant uuid, review uuid, author uuid, review_name text, repo text, source text, target text)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
    INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, repository, source_branch, target_branch)
    VALUES (tenant, review, tenancy.user_id(), review_name, repo, source, target) RETURNING *;
END
$function$;

-- Gives a RUNNING gate run its verdict and returns it; no row if the tenant has none of that id. Refuses with
-- GATE_RUN_ALREADY_DECIDED if another verdict came first. The reviews service calls it for PATCH
-- /v1/gate-runs/{gate_run_id}.
CREATE OR REPLACE FUNCTION reviews.decide_gate_run(tenant uuid, run uuid, decided text, step text, log text)
 RETURNS SETOF reviews.gate_runs
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  held text;
BEGIN
  RETURN QUERY
    UPDATE reviews.gate_runs g
       SET verdict = decided, failing_step = step, log_ref = coalesce(log, g.log_ref), updated_at = clock_timestamp()
     WHERE g.tenant_id = tenant AND g.gate_run_id = run AND g.verdict = 'RUNNING'
    RETURNING g.*;
  IF NOT FOUND THEN
    SELECT g.verdict INTO held FROM reviews.gate_runs g WHERE g.tenant_id = tenant AND g.gate_run_id = run;
    IF FOUND THEN
      PERFORM tenancy.refuse('GATE_RUN_ALREADY_DECIDED', jsonb_build_object('gateRunId', run, 'verdict', held));
    END IF;
  END IF;
END
$function$;

-- Returns those of the last landings of a queue, through it or past it, whose content is DIVERGENT, newest first.
-- Refuses with MERGE_QUEUE_AMBIGUOUS as reviews.queue_parts does. The reviews service calls it for GET
-- /v1/reviews/merge-queue/status.
CREATE OR REPLACE FUNCTION reviews.divergent_landings(tenant uuid, target text, repo text, most integer)
 RETURNS TABLE(review_id uuid, name text, source_branch text, author_user_id uuid, landed_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  parts text[] := reviews.queue_parts(tenant, target, repo);
BEGIN
  RETURN QUERY
    SELECT r.review_id, r.name, r.source_branch, r.author_user_id, m.created_at
      FROM (
        SELECT l.* FROM unnest(ARRAY['MERGED', 'RECONCILED']) AS c (cause)
         CROSS JOIN LATERAL (
          -- As in reviews.merges: no other index has this order.
          (SELECT q.review_id, q.created_at, q.version FROM reviews.queue_moves q
            WHERE q.tenant_id = tenant AND q.target_branch = target
              AND (q.repository, q.cause, q.version) >= (parts[1], c.cause, 0::bigint)
              AND (q.repository, q.cause, q.version) <= (parts[1], c.cause, 9223372036854775807)
            ORDER BY q.repository DESC, q.cause DESC, q.version DESC LIMIT most)
          UNION ALL
          (SELECT q.review_id, q.created_at, q.version FROM reviews.queue_moves q
            WHERE parts[cardinality(parts)] IS NULL AND q.tenant_id = tenant AND q.target_branch = target
              AND q.repository IS NULL AND (q.cause, q.version) >= (c.cause, 0::bigint)
              AND (q.cause, q.version) <= (c.cause, 9223372036854775807)
            ORDER BY q.repository DESC, q.cause DESC, q.version DESC LIMIT most)) AS l
         ORDER BY l.version DESC LIMIT most) AS m
      JOIN reviews.reviews r ON r.tenant_id = tenant AND r.review_id = m.review_id
      JOIN reviews.verifications v ON v.tenant_id = tenant AND v.review_id = m.review_id
      LEFT JOIN reviews.later_contents c ON c.tenant_id = tenant AND c.review_id = m.review_id
     WHERE coalesce(c.content_verdict, v.content_verdict) = 'DIVERGENT'
     ORDER BY m.version DESC;
END
$function$;

-- Returns number, mean, median and 95th percentile of durations, to the millisecond, as an answer has them.
CREATE OR REPLACE FUNCTION reviews.durations(seconds double precision[])
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE
RETURN (SELECT jsonb_strip_nulls(jsonb_build_object('basis', count(*), 'meanSeconds', round((avg(s.s))::numeric, 3), 'p50Seconds', round((percentile_cont((0.5)::double precision) WITHIN GROUP (ORDER BY s.s))::numeric, 3), 'p95Seconds', round((percentile_cont((0.95)::double precision) WITHIN GROUP (ORDER BY s.s))::numeric, 3))) AS jsonb_strip_nulls FROM unnest(durations.seconds) s(s));

-- Raises integrity_constraint_violation with the rule as its message unless the condition is true. It is no refusal
-- of the API: no function of this schema runs into it unless its caller is wrong. The triggers call it.
CREATE OR REPLACE FUNCTION reviews.expect(holds boolean, rule text)
 RETURNS void
 LANGUAGE plpgsql
 IMMUTABLE
AS $function$
BEGIN
  IF holds IS NOT TRUE THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = rule;
  END IF;
END
$function$;

-- Refuses with NOT_FOUND unless the build is of that review and has that outcome; its kind does not matter.
CREATE OR REPLACE FUNCTION reviews.expect_build(tenant uuid, review uuid, build uuid, outcome boolean)
 RETURNS void
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  IF NOT EXISTS (SELECT FROM builds.build_facts(tenant, build) f WHERE f.review_id = review AND f.successful = outcome) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such build.');
  END IF;
END
$function$;

-- Moves a review to FAILED by a build, and frees its place or slot. Returns it as it then stands. The caller holds
-- the queue's lock.
CREATE OR REPLACE FUNCTION reviews.fail(subject reviews.reviews, build uuid)
 RETURNS reviews.reviews
 LANGUAGE plpgsql
AS $function$
DECLARE
  kind    text := (SELECT f.kind FROM builds.build_facts(subject.tenant_id, build) f);
  changed reviews.reviews;
BEGIN
  PERFORM reviews.log_move(subject, 'fail', build, CASE WHEN kind = 'GATE' THEN 'GATE_FAILED' END);
  UPDATE reviews.reviews r
     SET status = 'FAILED', ticket = NULL, last_failed_build_id = build, updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$function$;

-- Moves a review to FAILED by a red build of it, and returns it. Refuses with NOT_FOUND as reviews.expect_build does.
-- The reviews service calls it for PATCH status FAILED.
CREATE OR REPLACE FUNCTION reviews.fail_by_build(tenant uuid, review uuid, build uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM reviews.expect_build(tenant, review, build, false);
  RETURN QUERY SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.fail(r, build) m;
END
$function$;

-- Returns the steps at which gate runs of a queue ended although another run of the same merge or source commit
-- passed, the flakiest first: of the newest 400 runs onto the target branch that ended at a step, 50 steps at most. A
-- FAILED run without a merge commit is not flaky. A run without a review counts if no repository is named.
-- reviews.queue_statistics calls it.
CREATE OR REPLACE FUNCTION reviews.flaky_steps(tenant uuid, target text, parts text[], since timestamp with time zone, until timestamp with time zone)
 RETURNS jsonb
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN (
    SELECT jsonb_agg(jsonb_strip_nulls(jsonb_build_object('failingStep', f.failing_step, 'flakyRuns', f.flaky,
             'failingRuns', f.failing, 'lastAt', reviews.instant(f.last_at), 'lastGateRunId', f.last_run[1],
             'lastLogRef', f.last_run[2])) ORDER BY f.flaky DESC, f.last_at DESC, f.failing_step)
      FROM (
        SELECT g.failing_step, count(*) AS failing, count(*) FILTER (WHERE g.passed) AS flaky,
               max(g.created_at) FILTER (WHERE g.passed) AS last_at,
               ARRAY[(array_agg(g.gate_run_id::text ORDER BY g.created_at DESC) FILTER (WHERE g.passed))[1],
                     (array_agg(g.log_ref ORDER BY g.created_at DESC) FILTER (WHERE g.passed))[1]] AS last_run
          FROM (
            -- A failure without a merge commit tested nothing: the source could not be merged, or has landed before.
            SELECT n.*, (n.merge_commit IS NOT NULL OR n.verdict <> 'FAILED')
                    AND (EXISTS (SELECT FROM reviews.gate_runs p
                                  WHERE p.tenant_id = tenant AND p.verdict = 'PASSED' AND p.merge_commit = n.merge_commit)
                      OR EXISTS (SELECT FROM reviews.gate_runs p
                                  WHERE p.tenant_id = tenant AND p.verdict = 'PASSED' AND p.source_commit = n.source_commit
                                    AND p.target_branch = n.target_branch)) AS passed
              FROM (SELECT e.* FROM reviews.gate_runs e
                     WHERE e.tenant_id = tenant AND e.target_branch = target AND e.failing_step IS NOT NULL
                       AND e.created_at BETWEEN since AND until
                     ORDER BY e.created_at DESC LIMIT 400) AS n
              LEFT JOIN reviews.reviews r ON r.tenant_id = tenant AND r.review_id = n.review_id
             WHERE r.repository = parts[1] OR r.repository IS NULL AND parts[cardinality(parts)] IS NULL) AS g
         GROUP BY g.failing_step
        HAVING count(*) FILTER (WHERE g.passed) > 0
         ORDER BY count(*) FILTER (WHERE g.passed) DESC, max(g.created_at) FILTER (WHERE g.passed) DESC
         LIMIT 50) AS f);
END
$function$;

-- Returns what a review found when it entered a queue: how many turns were to come, with its own and that of the
-- slot, and when the review whose turn it was had entered. No row if the wait took more than 1000 moves of the target
-- branch. A review that was at the head and left the line without a promotion is overlooked. reviews.queue_status
-- calls it.
CREATE OR REPLACE FUNCTION reviews.found_at_entry(tenant uuid, target text, parts text[], entry bigint, promoted bigint, place bigint)
 RETURNS TABLE(turns bigint, turn_ready_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE ROWS 1
AS $function$
DECLARE
  holder reviews.queue_moves;
  held   boolean;
BEGIN
  -- The bound of what is read.
  IF promoted - entry > 1000 THEN
    RETURN;
  END IF;
  holder := reviews.promotion_beside(tenant, target, parts, entry, false);
  -- Each review that waited before it left the line until its promotion, with its own, lower ticket.
  turns := (SELECT count(*) FROM reviews.queue_moves m
             WHERE m.tenant_id = tenant AND m.target_branch = target AND m.version > entry AND m.version < promoted
               AND m.ticket < place AND m.move NOT IN ('ready', 'requeue')
               AND (m.repository = parts[1] OR m.repository IS NULL AND parts[cardinality(parts)] IS NULL));
  held := holder.version IS NOT NULL
    AND coalesce((SELECT n.version FROM reviews.move_beside(tenant, holder.review_id, holder.version, true) n), entry + 1) > entry;
  IF NOT held THEN
    -- The slot was free, so the next one to be promoted was at the head: the review itself, or one before it.
    holder := reviews.promotion_beside(tenant, target, parts, entry, true);
  END IF;
  turn_ready_at := (SELECT n.moved_at FROM reviews.move_beside(tenant, holder.review_id, holder.version, false) n);
  turns := turns + 1 + held::int;
  RETURN NEXT;
END
$function$;

-- Returns the gate run that says what a review at MERGE does, of the newest 200 since its promotion: the newest that
-- is RUNNING, else the newest with a verdict, else the newest INCONCLUSIVE one; no row if there is none.
CREATE OR REPLACE FUNCTION reviews.gate_of_slot(tenant uuid, review uuid, since timestamp with time zone)
 RETURNS SETOF reviews.gate_runs
 LANGUAGE sql
 STABLE
AS $function$
  SELECT n.* FROM (
    SELECT g.* FROM reviews.gate_runs g
     WHERE g.tenant_id = tenant AND g.review_id = review AND g.created_at >= since
     ORDER BY g.created_at DESC, g.gate_run_id DESC LIMIT 200) AS n
   ORDER BY CASE n.verdict WHEN 'RUNNING' THEN 0 WHEN 'INCONCLUSIVE' THEN 2 ELSE 1 END, n.created_at DESC, n.gate_run_id DESC
   LIMIT 1
$function$;

-- Returns one visible gate run, or no row. The reviews service calls it for GET /v1/gate-runs/{gate_run_id}.
CREATE OR REPLACE FUNCTION reviews.get_gate_run(tenant uuid, run uuid)
 RETURNS SETOF reviews.gate_runs
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM reviews.gate_runs g
   WHERE g.tenant_id = ANY (identity.readable_tenants(tenant)) AND g.gate_run_id = run;
END
$function$;

-- Returns what the receipt of a visible review is made of: the review, its verification and, if there is one, its
-- later verdict. Before MERGED the fields of the verification are NULL. The reviews service calls it for GET
-- /v1/reviews/{review_id}/merge-receipt and for a later verdict.
CREATE OR REPLACE FUNCTION reviews.get_merge_receipt(tenant uuid, review uuid)
 RETURNS TABLE(tenant_id uuid, review_id uuid, name text, status text, source_branch text, target_branch text, route text, conditions text[], remote_url text, repository text, target_tip text, commit_id text, parent_commit_id text, tree_id text, anchor_commit_id text, source_tip text, build_id uuid, content_verdict text, content_reason text, verified_at timestamp with time zone, statement_version smallint, landed_commit_id text, built_on_commit_id text, content_findings jsonb, content_findings_left_out integer, content_judged_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
    SELECT r.tenant_id, r.review_id, r.name, r.status, r.source_branch, r.target_branch, v.route, v.conditions,
           v.remote_url, v.repository, v.target_tip, coalesce(v.commit_id, l.commit_id),
           coalesce(v.parent_commit_id, l.parent_commit_id), coalesce(v.tree_id, l.tree_id), v.anchor_commit_id,
           coalesce(v.source_tip, l.source_tip), v.build_id,
           coalesce(l.content_verdict, v.content_verdict),
           CASE WHEN l.review_id IS NULL THEN v.content_reason ELSE l.content_reason END, v.created_at,
           CASE WHEN l.review_id IS NULL THEN v.statement_version ELSE 2::smallint END,
           coalesce(l.landed_commit_id, v.landed_commit_id), coalesce(l.built_on_commit_id, v.built_on_commit_id),
           coalesce(l.content_findings, v.content_findings),
           coalesce(l.content_findings_left_out, v.content_findings_left_out), l.created_at
      FROM reviews.reviews r
      LEFT JOIN reviews.verifications v ON v.tenant_id = r.tenant_id AND v.review_id = r.review_id
      LEFT JOIN reviews.later_contents l ON l.tenant_id = v.tenant_id AND l.review_id = v.review_id
     WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review;
END
$function$;

-- Returns one visible review, or no row. The reviews service calls it for GET /v1/reviews/{review_id}.
CREATE OR REPLACE FUNCTION reviews.get_review(tenant uuid, review uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM reviews.reviews r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review;
END
$function$;

-- Returns the waiting review with the lowest ticket of one repository, or, for NULL, of the reviews that record no
-- repository; an empty row if none waits.
CREATE OR REPLACE FUNCTION reviews.head_of(tenant uuid, target text, repo text)
 RETURNS reviews.reviews
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  head reviews.reviews;
BEGIN
  -- Two statements, because IS NOT DISTINCT FROM cannot use an index.
  IF repo IS NULL THEN
    SELECT * INTO head FROM reviews.reviews r
     WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository IS NULL AND r.status = 'READY'
     ORDER BY r.ticket LIMIT 1;
  ELSE
    SELECT * INTO head FROM reviews.reviews r
     WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository = repo AND r.status = 'READY'
     ORDER BY r.ticket LIMIT 1;
  END IF;
  RETURN head;
END
$function$;

-- Returns what makes up the history of a queue: the named repository alone; without a name the only one that the log
-- names, with NULL for the moves that name none. Refuses with MERGE_QUEUE_AMBIGUOUS if the log names several.
-- reviews.queue_statistics calls it.
CREATE OR REPLACE FUNCTION reviews.history_parts(tenant uuid, target text, repo text)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  named text[] := ARRAY[]::text[];
  next  text := '';
BEGIN
  IF repo IS NOT NULL THEN
    RETURN ARRAY[repo];
  END IF;
  LOOP
    next := reviews.next_logged_repository(tenant, target, next);
    EXIT WHEN next IS NULL;
    named := named || next;
  END LOOP;
  IF cardinality(named) > 1 THEN
    PERFORM tenancy.refuse('MERGE_QUEUE_AMBIGUOUS', jsonb_build_object(
      'targetBranch', target, 'repositories', to_jsonb(named), 'unrecordedRepositoryReviewIds', '[]'::jsonb));
  END IF;
  RETURN named || NULL::text;
END
$function$;

-- Holds a review as it is until the transaction ends, so that a promotion waits while a thread is opened; returns
-- false if the tenant has no such review. The reviews service calls it before it opens or reopens a thread.
CREATE OR REPLACE FUNCTION reviews.hold_review(tenant uuid, review uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review FOR SHARE;
  RETURN FOUND;
END
$function$;

-- Returns a time as answers have it: RFC 3339 in UTC, to the microsecond.
CREATE OR REPLACE FUNCTION reviews.instant(at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE
RETURN ((to_json((at AT TIME ZONE 'UTC'::text)) #>> '{}'::text[]) || 'Z'::text);

-- Raises integrity_constraint_violation unless READY rests on a green build of the review, FAILED on a red one, and
-- MERGED on the record of its verification. reviews.judge_move calls it.
CREATE OR REPLACE FUNCTION reviews.judge_ground(former reviews.reviews, moved reviews.reviews)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
DECLARE
  other_build boolean := moved.last_ready_build_id IS DISTINCT FROM former.last_ready_build_id;
BEGIN
  PERFORM reviews.expect(moved.status = 'READY' OR NOT other_build, 'a review becomes READY by a build, and by nothing else');
  IF moved.status = 'READY' AND (other_build OR former.status <> 'MERGE') THEN
    PERFORM reviews.expect(EXISTS (
        SELECT FROM builds.build_facts(moved.tenant_id, moved.last_ready_build_id) f
         WHERE f.review_id = moved.review_id AND f.successful),
      'READY rests on a successful build of the review');
  ELSIF moved.status = 'FAILED' THEN
    PERFORM reviews.expect(EXISTS (
        SELECT FROM builds.build_facts(moved.tenant_id, moved.last_failed_build_id) f
         WHERE f.review_id = moved.review_id AND NOT f.successful),
      'FAILED rests on a failed build of the review');
  ELSIF moved.status = 'MERGED' THEN
    PERFORM reviews.expect(EXISTS (
        SELECT FROM reviews.verifications v
         WHERE v.tenant_id = moved.tenant_id AND v.review_id = moved.review_id AND v.repository = moved.repository
           AND (v.route = 'queue') = (former.status = 'MERGE')
           AND v.build_id IS NOT DISTINCT FROM moved.last_merged_build_id
           AND (v.route = 'reconciled' OR v.commit_id = moved.merged_commit_id)),
      'MERGED rests on the record of its verification');
  END IF;
END
$function$;

-- Trigger of each update of reviews.reviews: raises integrity_constraint_violation unless the review keeps what it
-- was created with, moves along its state machine, has the last entry of its queue's log as its move, a requeue from
-- MERGE alone, and satisfies reviews.judge_ground.
CREATE OR REPLACE FUNCTION reviews.judge_move()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  logged record;
BEGIN
  PERFORM reviews.expect(
    (NEW.tenant_id, NEW.review_id, NEW.author_user_id, NEW.name, NEW.source_branch, NEW.target_branch, NEW.created_at)
    = (OLD.tenant_id, OLD.review_id, OLD.author_user_id, OLD.name, OLD.source_branch, OLD.target_branch, OLD.created_at)
    AND (NEW.repository IS NOT DISTINCT FROM OLD.repository OR OLD.repository IS NULL AND NEW.status = 'MERGED'),
    'a review keeps what it was created with');
  PERFORM reviews.expect(CASE OLD.status
      WHEN 'OPEN' THEN NEW.status IN ('READY', 'FAILED', 'MERGED', 'CLOSED')
      WHEN 'FAILED' THEN NEW.status IN ('READY', 'FAILED', 'MERGED', 'CLOSED')
      WHEN 'READY' THEN NEW.status IN ('MERGE', 'FAILED', 'MERGED', 'CLOSED')
      WHEN 'MERGE' THEN NEW.status IN ('READY', 'FAILED', 'MERGED')
      ELSE false END,
    format('a review at %s does not move to %s', OLD.status, NEW.status));
  SELECT m.move, m.ticket, m.cause, m.build_id, q.last_merge INTO logged
    FROM reviews.queues q JOIN reviews.queue_moves m USING (tenant_id, target_branch, version)
   WHERE q.tenant_id = NEW.tenant_id AND q.target_branch = NEW.target_branch AND m.review_id = NEW.review_id;
  PERFORM reviews.expect(CASE NEW.status
      WHEN 'READY' THEN logged.ticket = NEW.ticket
           AND (logged.move = 'ready' AND logged.build_id = NEW.last_ready_build_id
                OR logged.move = 'requeue' AND OLD.status = 'MERGE')
      WHEN 'MERGE' THEN logged.move = 'promote'
      WHEN 'FAILED' THEN logged.move = 'fail' AND logged.build_id = NEW.last_failed_build_id
      WHEN 'CLOSED' THEN logged.move = 'close'
      ELSE logged.move = CASE WHEN NEW.merge_sequence IS NULL THEN 'reconcile' ELSE 'merge' END
           AND logged.build_id IS NOT DISTINCT FROM NEW.last_merged_build_id
           AND (NEW.merge_sequence IS NULL OR NEW.merge_sequence = logged.last_merge) END,
    'a move of a review is the last one of its queue''s log');
  PERFORM reviews.expect(logged.cause IS NOT NULL, 'a move is logged with its cause');
  PERFORM reviews.judge_ground(OLD, NEW);
  RETURN NEW;
END
$function$;

-- Trigger of an insert into reviews.reviews: raises integrity_constraint_violation unless the new review is OPEN.
CREATE OR REPLACE FUNCTION reviews.judge_new_review()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM reviews.expect(NEW.status = 'OPEN', 'a new review is OPEN');
  RETURN NEW;
END
$function$;

-- Trigger of an insert into or an update of reviews.queues: raises integrity_constraint_violation unless a new queue
-- stands at zero, and each change raises the counters by exactly one entry of the log.
CREATE OR REPLACE FUNCTION reviews.judge_queue()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM reviews.expect((NEW.version, NEW.last_ticket, NEW.last_merge) = (0, 0, 0), 'a new queue has not moved');
    RETURN NEW;
  END IF;
  PERFORM reviews.expect(
    (NEW.tenant_id, NEW.target_branch, NEW.version) = (OLD.tenant_id, OLD.target_branch, OLD.version + 1)
    AND EXISTS (
      SELECT FROM reviews.queue_moves m
       WHERE m.tenant_id = NEW.tenant_id AND m.target_branch = NEW.target_branch AND m.version = NEW.version
         AND NEW.last_ticket = OLD.last_ticket + CASE WHEN m.move IN ('ready', 'requeue') THEN 1 ELSE 0 END
         AND NEW.last_merge = OLD.last_merge + CASE WHEN m.move = 'merge' THEN 1 ELSE 0 END),
    'a queue moves by one entry of its log');
  RETURN NEW;
END
$function$;

-- Trigger of an insert into or an update of reviews.verifications. Raises integrity_constraint_violation unless a
-- record through the queue is of a review at MERGE, by the green GATE build of its commit, after the queue's anchor,
-- and a reconciliation is of a review at OPEN, READY or FAILED. An update may only complete a record whose verdict is
-- UNKNOWN.
CREATE OR REPLACE FUNCTION reviews.judge_verification()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  subject reviews.reviews;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    -- A verdict that could not be computed may be computed later; why the merge was believed is never changed.
    PERFORM reviews.expect(OLD.content_verdict = 'UNKNOWN'
      AND (NEW.tenant_id, NEW.review_id, NEW.route, NEW.remote_url, NEW.repository, NEW.target_branch, NEW.target_tip,
           NEW.conditions, NEW.created_at)
        = (OLD.tenant_id, OLD.review_id, OLD.route, OLD.remote_url, OLD.repository, OLD.target_branch, OLD.target_tip,
           OLD.conditions, OLD.created_at)
      AND (NEW.build_id, NEW.anchor_commit_id, NEW.release_error)
          IS NOT DISTINCT FROM (OLD.build_id, OLD.anchor_commit_id, OLD.release_error)
      AND (OLD.commit_id IS NULL OR NEW.commit_id = OLD.commit_id)
      AND (OLD.source_tip IS NULL OR NEW.source_tip = OLD.source_tip)
      AND (OLD.tree_id IS NULL OR NEW.tree_id = OLD.tree_id)
      AND (OLD.parent_commit_id IS NULL OR NEW.parent_commit_id = OLD.parent_commit_id),
      'the record of a verification is not changed');
    RETURN NEW;
  END IF;
  SELECT * INTO subject FROM reviews.reviews r WHERE r.tenant_id = NEW.tenant_id AND r.review_id = NEW.review_id;
  PERFORM reviews.expect(NEW.target_branch = subject.target_branch
    AND (subject.repository IS NULL OR subject.repository = NEW.repository),
    'a verification is about the review''s own target and repository');
  IF NEW.route = 'queue' THEN
    PERFORM reviews.expect(subject.status = 'MERGE'
      AND NEW.anchor_commit_id IS NOT DISTINCT FROM reviews.anchor(NEW.tenant_id, NEW.target_branch, NEW.repository)
      AND EXISTS (SELECT FROM builds.build_facts(NEW.tenant_id, NEW.build_id) f
                   WHERE f.review_id = NEW.review_id AND f.kind = 'GATE' AND f.successful AND f.commit_id = NEW.commit_id),
      'a merge through the queue is that of a review at MERGE, by its successful GATE build, after the queue''s anchor');
  ELSE
    PERFORM reviews.expect(subject.status IN ('OPEN', 'READY', 'FAILED'), 'only a review that is not at MERGE is reconciled');
  END IF;
  RETURN NEW;
END
$function$;

-- Returns the last move of a cause in the queue of one repository, or, for NULL, of the reviews that record no
-- repository, up to a version of the queue if one is given; an empty row if there is none.
CREATE OR REPLACE FUNCTION reviews.last_move(tenant uuid, target text, repo text, of_cause text, up_to bigint DEFAULT NULL::bigint)
 RETURNS reviews.queue_moves
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  newest bigint := coalesce(up_to, 9223372036854775807);
  found  reviews.queue_moves;
BEGIN
  -- Rows are compared as wholes, so that no other index has their order: reading the log backwards would take long if the
  -- cause is rare. Two statements, because IS NOT DISTINCT FROM cannot use an index.
  IF repo IS NULL THEN
    SELECT * INTO found FROM reviews.queue_moves m
     WHERE m.tenant_id = tenant AND m.target_branch = target AND m.repository IS NULL
       AND (m.cause, m.version) <= (of_cause, newest)
     ORDER BY m.repository DESC, m.cause DESC, m.version DESC LIMIT 1;
  ELSE
    SELECT * INTO found FROM reviews.queue_moves m
     WHERE m.tenant_id = tenant AND m.target_branch = target
       AND (m.repository, m.cause, m.version) <= (repo, of_cause, newest)
     ORDER BY m.repository DESC, m.cause DESC, m.version DESC LIMIT 1;
  END IF;
  IF found.cause IS DISTINCT FROM of_cause OR found.repository IS DISTINCT FROM repo THEN
    RETURN NULL;
  END IF;
  RETURN found;
END
$function$;

-- Returns one page of the visible gate runs, newest first, after the given place; a NULL filter asks for nothing. The
-- reviews service calls it for GET /v1/gate-runs.
CREATE OR REPLACE FUNCTION reviews.list_gate_runs(tenant uuid, target text, source text, wanted text, review uuid, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF reviews.gate_runs
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM reviews.gate_runs e',
    CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $2' ELSE '' END
    || CASE WHEN source IS NOT NULL THEN ' AND e.source_branch = $3' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND e.verdict = $4' ELSE '' END
    || CASE WHEN review IS NOT NULL THEN ' AND e.review_id = $5' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.gate_run_id) < ($6, $7)' ELSE '' END,
    'e.created_at DESC, e.gate_run_id DESC', '$8')
    USING tenant, target, source, wanted, review, after_time, after_id, page;
END
$function$;

-- Returns all visible reviews that wait. It serves only a release from before 0020; tenancy.end_transition takes it
-- from the login.
CREATE OR REPLACE FUNCTION reviews.list_merge_queue(tenant uuid, repo text, target text)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE
    'SELECT * FROM reviews.reviews r WHERE r.status = ''READY'' AND '
    || CASE WHEN tenancy.across() THEN 'r.tenant_id = ANY (identity.readable_tenants($1))'
            ELSE 'r.tenant_id = $1' END
    || CASE WHEN repo IS NOT NULL THEN ' AND r.repository = $2' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND r.target_branch = $3' ELSE '' END
    || ' ORDER BY r.target_branch, r.ticket, r.tenant_id'
    USING tenant, repo, target;
END
$function$;

-- Returns all visible reviews that the filters ask for. It serves only a release from before 0020;
-- tenancy.end_transition takes it from the login.
CREATE OR REPLACE FUNCTION reviews.list_reviews(tenant uuid, repo text, target text, source text, wanted text, author uuid, reviewer uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE
    'SELECT * FROM reviews.reviews r WHERE '
    || CASE WHEN tenancy.across() THEN 'r.tenant_id = ANY (identity.readable_tenants($1))'
            ELSE 'r.tenant_id = $1' END
    || CASE WHEN repo IS NOT NULL THEN ' AND r.repository = $2' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND r.target_branch = $3' ELSE '' END
    || CASE WHEN source IS NOT NULL THEN ' AND r.source_branch = $4' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND r.status = $5' ELSE '' END
    || CASE WHEN author IS NOT NULL THEN ' AND r.author_user_id = $6' ELSE '' END
    || CASE WHEN reviewer IS NOT NULL THEN
         ' AND EXISTS (SELECT FROM reviews.reviewers w
                        WHERE w.tenant_id = r.tenant_id AND w.review_id = r.review_id AND w.user_id = $7)' ELSE '' END
    || ' ORDER BY r.created_at DESC, r.review_id DESC'
    USING tenant, repo, target, source, wanted, author, reviewer;
END
$function$;

-- Returns one comment of a review and keeps it from changing until the transaction ends; no row if there is none. The
-- reviews service calls it before it replies to a thread, closes or reopens one.
CREATE OR REPLACE FUNCTION reviews.lock_comment(tenant uuid, review uuid, comment uuid)
 RETURNS SETOF reviews.comments
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT * FROM reviews.comments c
   WHERE c.tenant_id = tenant AND c.review_id = review AND c.comment_id = comment FOR NO KEY UPDATE
$function$;

-- Takes the lock of a target branch's queue until the transaction ends, and makes the queue if it has none. The lock
-- order is queue, review, then what hangs on it.
CREATE OR REPLACE FUNCTION reviews.lock_queue(tenant uuid, target text)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
BEGIN
  PERFORM 1 FROM reviews.queues q WHERE q.tenant_id = tenant AND q.target_branch = target FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO reviews.queues (tenant_id, target_branch) VALUES (tenant, target) ON CONFLICT DO NOTHING;
    PERFORM 1 FROM reviews.queues q WHERE q.tenant_id = tenant AND q.target_branch = target FOR UPDATE;
  END IF;
END
$function$;

-- Takes the lock of a review's queue, then of the review, and returns the review as it now stands; no row if the
-- tenant has none of that id. Every function that moves a review by its id calls it.
CREATE OR REPLACE FUNCTION reviews.lock_review(tenant uuid, review uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
AS $function$
DECLARE
  -- The target never changes, so it may be read before the lock.
  target text := (SELECT r.target_branch FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review);
BEGIN
  IF target IS NOT NULL THEN
    PERFORM reviews.lock_queue(tenant, target);
    RETURN QUERY SELECT * FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review FOR NO KEY UPDATE;
  END IF;
END
$function$;

-- Logs a move of a review by the transaction's user under the next version of its queue, and raises the queue's
-- counters by it. Without a cause it is that of reviews.plain_cause. Returns the number of the merge for a merge,
-- else the last ticket, which a move to READY has just taken. Each move calls it before it changes the review; the
-- caller holds the queue's lock.
CREATE OR REPLACE FUNCTION reviews.log_move(subject reviews.reviews, move text, build uuid DEFAULT NULL::uuid, cause text DEFAULT NULL::text, reason text DEFAULT NULL::text)
 RETURNS bigint
 LANGUAGE plpgsql
AS $function$
DECLARE
  queue reviews.queues;
BEGIN
  INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, repository, move, ticket, cause,
                                   actor_user_id, build_id, reason)
  SELECT q.tenant_id, q.target_branch, q.version + 1, subject.review_id, subject.repository, move,
         CASE WHEN move IN ('ready', 'requeue') THEN q.last_ticket + 1 ELSE subject.ticket END,
         coalesce(cause, reviews.plain_cause(move)), tenancy.user_id(), build, reason
    FROM reviews.queues q WHERE q.tenant_id = subject.tenant_id AND q.target_branch = subject.target_branch;
  UPDATE reviews.queues q
     SET version = q.version + 1,
         last_ticket = q.last_ticket + CASE WHEN move IN ('ready', 'requeue') THEN 1 ELSE 0 END,
         last_merge = q.last_merge + CASE WHEN move = 'merge' THEN 1 ELSE 0 END
   WHERE q.tenant_id = subject.tenant_id AND q.target_branch = subject.target_branch
  RETURNING q.* INTO STRICT queue;
  RETURN CASE WHEN move = 'merge' THEN queue.last_merge ELSE queue.last_ticket END;
END
$function$;

-- Returns the head of the queue that is meant and the occupant of its slot. Without a repository, the head is the
-- lower ticket of the one repository that waits and of the reviews that record none; refuses with
-- MERGE_QUEUE_AMBIGUOUS if several repositories wait. The caller holds the queue's lock.
CREATE OR REPLACE FUNCTION reviews.look_at_head(tenant uuid, target text, repo text)
 RETURNS reviews.head_state
 LANGUAGE plpgsql
AS $function$
DECLARE
  state      reviews.head_state;
  named      text := repo;
  unrecorded reviews.reviews;
BEGIN
  IF repo IS NULL THEN
    named := reviews.next_waiting_repository(tenant, target, '');
    IF reviews.next_waiting_repository(tenant, target, named) IS NOT NULL THEN
      PERFORM reviews.refuse_ambiguous(tenant, target);
    END IF;
    unrecorded := reviews.head_of(tenant, target, NULL);
  END IF;
  IF named IS NOT NULL THEN
    state.head := reviews.head_of(tenant, target, named);
  END IF;
  IF unrecorded.ticket IS NOT NULL AND ((state.head).ticket IS NULL OR unrecorded.ticket < (state.head).ticket) THEN
    state.head := unrecorded;
  END IF;
  state.occupant := reviews.occupant(tenant, target, named, repo IS NULL);
  RETURN state;
END
$function$;

-- Moves a review to READY at the tail of its queue, by a build or, if build is NULL, by a requeue. Returns it as it
-- then stands. The caller holds the queue's lock.
CREATE OR REPLACE FUNCTION reviews.make_ready(subject reviews.reviews, build uuid)
 RETURNS reviews.reviews
 LANGUAGE plpgsql
AS $function$
DECLARE
  place bigint := reviews.log_move(subject, CASE WHEN build IS NULL THEN 'requeue' ELSE 'ready' END, build);
  changed reviews.reviews;
BEGIN
  UPDATE reviews.reviews r
     SET status = 'READY', ticket = place, last_ready_build_id = coalesce(build, r.last_ready_build_id),
         updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$function$;

-- Returns whether a review that has just become READY may go on to MERGE: it is the head of its queue, the slot is
-- free and no thread is OPEN. It never refuses. reviews.apply_build asks it.
CREATE OR REPLACE FUNCTION reviews.may_continue(subject reviews.reviews)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
DECLARE
  state reviews.head_state;
BEGIN
  IF subject.repository IS NULL AND reviews.next_waiting_repository(subject.tenant_id, subject.target_branch,
       reviews.next_waiting_repository(subject.tenant_id, subject.target_branch, '')) IS NOT NULL THEN
    RETURN false;
  END IF;
  state := reviews.look_at_head(subject.tenant_id, subject.target_branch, subject.repository);
  RETURN (state.head).review_id = subject.review_id AND (state.occupant).review_id IS NULL
     AND reviews.open_threads(subject) = 0;
END
$function$;

-- Returns at one moment what a MERGED report is judged on beside git: the review, the build that is named, and the
-- anchor of the repository that is named. No row if the tenant has no such review. The reviews service reads it
-- before it asks the verifier.
CREATE OR REPLACE FUNCTION reviews.merge_case(tenant uuid, review uuid, build uuid, repo text)
 RETURNS TABLE(subject reviews.reviews, build_review_id uuid, build_kind text, build_successful boolean, build_commit_id text, anchor_commit_id text)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY
    SELECT r, b.review_id, b.kind, b.successful, b.commit_id, reviews.anchor(tenant, r.target_branch, repo)
      FROM reviews.reviews r LEFT JOIN LATERAL builds.build_facts(tenant, build) b ON true
     WHERE r.tenant_id = tenant AND r.review_id = review;
END
$function$;

-- Returns the last merges through a queue between two versions of it, newest first: when the review was merged, when
-- it was promoted, and when and with which ticket it had entered. reviews.queue_status and reviews.queue_statistics
-- call it.
CREATE OR REPLACE FUNCTION reviews.merges(tenant uuid, target text, parts text[], from_version bigint, to_version bigint, most integer)
 RETURNS TABLE(version bigint, merged_at timestamp with time zone, promoted_version bigint, promoted_at timestamp with time zone, entry_version bigint, ready_at timestamp with time zone, ticket bigint)
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  RETURN QUERY
    SELECT m.version, m.created_at, p.version, p.created_at, e.version, e.created_at, e.ticket
      FROM (
        SELECT l.* FROM (
          -- As in reviews.last_move: no other index has this order.
          (SELECT q.version, q.review_id, q.created_at FROM reviews.queue_moves q
            WHERE q.tenant_id = tenant AND q.target_branch = target
              AND (q.repository, q.cause, q.version) >= (parts[1], 'MERGED', from_version)
              AND (q.repository, q.cause, q.version) <= (parts[1], 'MERGED', to_version)
            ORDER BY q.repository DESC, q.cause DESC, q.version DESC LIMIT most)
          UNION ALL
          (SELECT q.version, q.review_id, q.created_at FROM reviews.queue_moves q
            WHERE parts[cardinality(parts)] IS NULL AND q.tenant_id = tenant AND q.target_branch = target
              AND q.repository IS NULL AND (q.cause, q.version) >= ('MERGED', from_version)
              AND (q.cause, q.version) <= ('MERGED', to_version)
            ORDER BY q.repository DESC, q.cause DESC, q.version DESC LIMIT most)) AS l
         ORDER BY l.version DESC LIMIT most) AS m
     -- A review that merged was promoted by the move before, and had entered by the one before that.
     CROSS JOIN LATERAL (
       SELECT q.version, q.created_at FROM reviews.queue_moves q
        WHERE q.tenant_id = tenant AND q.review_id = m.review_id AND q.version < m.version
        ORDER BY q.version DESC LIMIT 1) AS p
     CROSS JOIN LATERAL (
       SELECT q.version, q.created_at, q.ticket FROM reviews.queue_moves q
        WHERE q.tenant_id = tenant AND q.review_id = m.review_id AND q.version < p.version
        ORDER BY q.version DESC LIMIT 1) AS e
     ORDER BY m.version DESC;
END
$function$;

-- Returns a time as milliseconds since the epoch.
CREATE OR REPLACE FUNCTION reviews.milliseconds(at timestamp with time zone)
 RETURNS double precision
 LANGUAGE sql
 IMMUTABLE
RETURN ((EXTRACT(epoch FROM at))::double precision * (1000)::double precision);

-- Returns the move of a review that is next to a version of its queue, before it or, if later is true, after it; no
-- row if there is none.
CREATE OR REPLACE FUNCTION reviews.move_beside(tenant uuid, review uuid, at_version bigint, later boolean)
 RETURNS TABLE(version bigint, moved_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE ROWS 1
AS $function$
BEGIN
  IF later THEN
    RETURN QUERY SELECT m.version, m.created_at FROM reviews.queue_moves m
      WHERE m.tenant_id = tenant AND m.review_id = review AND m.version > at_version ORDER BY m.version LIMIT 1;
  ELSE
    RETURN QUERY SELECT m.version, m.created_at FROM reviews.queue_moves m
      WHERE m.tenant_id = tenant AND m.review_id = review AND m.version < at_version ORDER BY m.version DESC LIMIT 1;
  END IF;
END
$function$;

-- Returns those of the builds, each given with its review, that must be kept: their review has not ended, or it or a
-- move of it names them. builds.prune asks it.
CREATE OR REPLACE FUNCTION reviews.needed_builds(tenant uuid, of_reviews uuid[], builds uuid[])
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT c.build FROM unnest(of_reviews, builds) AS c (review, build)
   WHERE EXISTS (SELECT FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = c.review
                    AND (r.status NOT IN ('MERGED', 'CLOSED')
                         OR c.build IN (r.last_failed_build_id, r.last_ready_build_id, r.last_merged_build_id)))
      OR EXISTS (SELECT FROM reviews.queue_moves m
                  WHERE m.tenant_id = tenant AND m.review_id = c.review AND m.build_id = c.build)
$function$;

-- Returns the named repository after one, by name, that the log of a target branch has moves of; NULL after the last.
CREATE OR REPLACE FUNCTION reviews.next_logged_repository(tenant uuid, target text, after text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT m.repository FROM reviews.queue_moves m
   WHERE m.tenant_id = tenant AND m.target_branch = target AND m.repository > after
   ORDER BY m.repository LIMIT 1
$function$;

-- Returns the first repository, in order after the given one, for which a review waits; NULL if there is none. The
-- empty text is before all of them.
CREATE OR REPLACE FUNCTION reviews.next_waiting_repository(tenant uuid, target text, after text)
 RETURNS text
 LANGUAGE sql
 STABLE
AS $function$
  SELECT r.repository FROM reviews.reviews r
   WHERE r.tenant_id = tenant AND r.target_branch = target AND r.status = 'READY' AND r.repository > after
   ORDER BY r.repository LIMIT 1
$function$;

-- Trigger of each insert into reviews.queue_moves: numbers the move among those of its cause in its queue, under the
-- lock that the move holds.
CREATE OR REPLACE FUNCTION reviews.number_move()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  NEW.nth := CASE WHEN NEW.cause IS NOT NULL
    THEN 1 + reviews.count_moves(NEW.tenant_id, NEW.target_branch, NEW.repository, NEW.cause) END;
  RETURN NEW;
END
$function$;

-- Returns the review at MERGE that holds the slot of a repository; an empty row if the slot is free. If unnamed, a
-- review that records no repository holds it too, and with no repository at all any review at MERGE does.
CREATE OR REPLACE FUNCTION reviews.occupant(tenant uuid, target text, repo text, unnamed boolean)
 RETURNS reviews.reviews
 LANGUAGE sql
 STABLE
AS $function$
  SELECT r FROM reviews.reviews r
   WHERE r.tenant_id = tenant AND r.target_branch = target AND r.status = 'MERGE'
     AND (r.repository = repo OR unnamed AND (r.repository IS NULL OR repo IS NULL))
   ORDER BY r.updated_at LIMIT 1
$function$;

-- Returns how many comment threads of a review are OPEN. Promotions ask it.
CREATE OR REPLACE FUNCTION reviews.open_threads(subject reviews.reviews)
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$
  SELECT count(*) FROM reviews.comments c
   WHERE c.tenant_id = subject.tenant_id AND c.review_id = subject.review_id AND c.status = 'OPEN'
$function$;

-- Returns one page of a visible review's comments by commit, file, line and time, after the given place. Refuses with
-- NOT_FOUND if no such review is visible. The reviews service calls it for GET /v1/reviews/{review_id}/comments.
CREATE OR REPLACE FUNCTION reviews.page_comments(tenant uuid, review uuid, after_commit text, after_path text, after_line integer, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF reviews.comments
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM reviews.comments c
   WHERE c.tenant_id = ANY (identity.readable_tenants(tenant)) AND c.review_id = review
     AND (after_id IS NULL OR (c.commit_id, c.file_path, c.line, c.created_at, c.comment_id)
                            > (after_commit, after_path, after_line, after_time, after_id))
   ORDER BY c.commit_id, c.file_path, c.line, c.created_at, c.comment_id LIMIT page;
  IF NOT FOUND AND after_id IS NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$function$;

-- Returns one page of a visible review's moves, newest first, from before a version of its queue; the creation is the
-- oldest, with version 0. Refuses with NOT_FOUND if no such review is visible. The reviews service calls it for GET
-- /v1/reviews/{review_id}/history.
CREATE OR REPLACE FUNCTION reviews.page_history(tenant uuid, review uuid, before bigint, page integer)
 RETURNS TABLE(moved_at timestamp with time zone, from_status text, to_status text, cause text, actor_user_id uuid, actor_username text, build_id uuid, reason text, ticket bigint, queue_version bigint)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  subject reviews.reviews;
BEGIN
  SELECT * INTO subject FROM reviews.reviews r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review;
  IF NOT FOUND THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
  RETURN QUERY
    -- A move begins where the one before it has ended, so one more is read than the page shows.
    SELECT e.moved_at, lead(e.to_status) OVER (ORDER BY e.version DESC), e.to_status, e.cause, e.actor,
           identity.username(subject.tenant_id, e.actor), e.build, e.reason, e.ticket, e.version
      FROM (
        (SELECT m.created_at,
                CASE WHEN m.move IN ('ready', 'requeue') THEN 'READY' WHEN m.move = 'promote' THEN 'MERGE'
                     WHEN m.move = 'fail' THEN 'FAILED' WHEN m.move = 'close' THEN 'CLOSED' ELSE 'MERGED' END,
                coalesce(m.cause, reviews.plain_cause(m.move)), m.actor_user_id, m.build_id, m.reason, m.ticket,
                m.version
           FROM reviews.queue_moves m
          WHERE m.tenant_id = subject.tenant_id AND m.review_id = subject.review_id
            AND m.version < coalesce(before, 9223372036854775807)
          ORDER BY m.version DESC LIMIT page + 1)
        UNION ALL
        SELECT subject.created_at, 'OPEN', 'CREATED', subject.author_user_id, NULL, NULL, NULL, 0
         WHERE coalesce(before, 1) > 0
      ) AS e (moved_at, to_status, cause, actor, build, reason, ticket, version)
     ORDER BY e.version DESC LIMIT page;
END
$function$;

-- Returns one page of the reviews that wait, each queue in its order, after the given place; a later page leaves out
-- a review that has moved since the moment as_of of the first page. The reviews service calls it for GET
-- /v1/reviews/merge-queue.
CREATE OR REPLACE FUNCTION reviews.page_merge_queue(tenant uuid, repo text, target text, as_of timestamp with time zone, after_target text, after_ticket bigint, after_tenant uuid, page integer)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM reviews.reviews e',
    ' AND e.status = ''READY'''
    || CASE WHEN repo IS NOT NULL THEN ' AND e.repository = $2' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $3' ELSE '' END
    || CASE WHEN after_ticket IS NOT NULL
            THEN ' AND e.updated_at <= $4 AND (e.target_branch, e.ticket, e.tenant_id) > ($5, $6, $7)' ELSE '' END,
    'e.target_branch, e.ticket, e.tenant_id', '$8')
    USING tenant, repo, target, as_of, after_target, after_ticket, after_tenant, page;
END
$function$;

-- Returns one page of a visible review's reviewers, oldest assignment first, after the given place. Refuses with
-- NOT_FOUND if no such review is visible. The reviews service calls it for GET /v1/reviews/{review_id}/reviewers.
CREATE OR REPLACE FUNCTION reviews.page_reviewers(tenant uuid, review uuid, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF reviews.reviewers
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY SELECT * FROM reviews.reviewers w
   WHERE w.tenant_id = ANY (identity.readable_tenants(tenant)) AND w.review_id = review
     AND (after_id IS NULL OR (w.created_at, w.user_id) > (after_time, after_id))
   ORDER BY w.created_at, w.user_id LIMIT page;
  IF NOT FOUND AND after_id IS NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$function$;

-- Returns one page of the visible reviews, newest first, after the given place; a NULL filter asks for nothing. The
-- reviews service calls it for GET /v1/reviews.
CREATE OR REPLACE FUNCTION reviews.page_reviews(tenant uuid, repo text, target text, source text, wanted text, author uuid, reviewer uuid, after_time timestamp with time zone, after_id uuid, page integer)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM reviews.reviews e',
    CASE WHEN repo IS NOT NULL THEN ' AND e.repository = $2' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $3' ELSE '' END
    || CASE WHEN source IS NOT NULL THEN ' AND e.source_branch = $4' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND e.status = $5' ELSE '' END
    || CASE WHEN author IS NOT NULL THEN ' AND e.author_user_id = $6' ELSE '' END
    || CASE WHEN reviewer IS NOT NULL THEN
         ' AND EXISTS (SELECT FROM reviews.reviewers w
                        WHERE w.tenant_id = e.tenant_id AND w.review_id = e.review_id AND w.user_id = $7)' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.review_id) < ($8, $9)' ELSE '' END,
    'e.created_at DESC, e.review_id DESC', '$10')
    USING tenant, repo, target, source, wanted, author, reviewer, after_time, after_id, page;
END
$function$;

-- Returns the cause of a move of that name, if nothing more is known of it: the gate's failure is then that of a
-- build, and an override a promotion. reviews.log_move and, for rows from before 0052, reviews.page_history ask it.
CREATE OR REPLACE FUNCTION reviews.plain_cause(move text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE
RETURN CASE move WHEN 'ready'::text THEN 'BUILD_SUCCEEDED'::text WHEN 'promote'::text THEN 'PROMOTED'::text WHEN 'requeue'::text THEN 'REQUEUED'::text WHEN 'fail'::text THEN 'BUILD_FAILED'::text WHEN 'close'::text THEN 'CLOSED'::text WHEN 'merge'::text THEN 'MERGED'::text WHEN 'reconcile'::text THEN 'RECONCILED'::text ELSE NULL::text END;

-- Moves a review to MERGE, and logs that its threads were passed over if override is true. Returns it as it then
-- stands. The caller holds the queue's lock and has looked at the head. reviews.advance and reviews.apply_build call
-- it.
CREATE OR REPLACE FUNCTION reviews.promote(subject reviews.reviews, override boolean DEFAULT false, reason text DEFAULT NULL::text)
 RETURNS reviews.reviews
 LANGUAGE plpgsql
AS $function$
DECLARE
  changed reviews.reviews;
BEGIN
  PERFORM reviews.log_move(subject, 'promote', NULL, CASE WHEN override THEN 'PROMOTED_BY_OVERRIDE' END, reason);
  UPDATE reviews.reviews r SET status = 'MERGE', ticket = NULL, updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$function$;

-- Returns the promotion in a queue that is next to a version of it, before it or, if later is true, after it; an
-- empty row if there is none.
CREATE OR REPLACE FUNCTION reviews.promotion_beside(tenant uuid, target text, parts text[], at_version bigint, later boolean)
 RETURNS reviews.queue_moves
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  part  text;
  word  text;
  found reviews.queue_moves;
  best  reviews.queue_moves;
BEGIN
  FOREACH part IN ARRAY parts LOOP
    FOREACH word IN ARRAY ARRAY['PROMOTED', 'PROMOTED_BY_OVERRIDE'] LOOP
      IF NOT later THEN
        found := reviews.last_move(tenant, target, part, word, at_version - 1);
      ELSIF part IS NULL THEN
        SELECT * INTO found FROM reviews.queue_moves m
         WHERE m.tenant_id = tenant AND m.target_branch = target AND m.repository IS NULL
           AND (m.cause, m.version) > (word, at_version)
         ORDER BY m.repository, m.cause, m.version LIMIT 1;
      ELSE
        SELECT * INTO found FROM reviews.queue_moves m
         WHERE m.tenant_id = tenant AND m.target_branch = target AND (m.repository, m.cause, m.version) > (part, word, at_version)
         ORDER BY m.repository, m.cause, m.version LIMIT 1;
      END IF;
      IF found.cause = word AND found.repository IS NOT DISTINCT FROM part AND (best.version IS NULL OR (found.version > best.version) <> later) THEN
        best := found;
      END IF;
    END LOOP;
  END LOOP;
  RETURN best;
END
$function$;

-- As builds.prune, of the gate runs of a tenant: those that are decided, that have not changed since a moment, and
-- whose review has ended or that are of none. npm run db -- prune calls it.
CREATE OR REPLACE FUNCTION reviews.prune_gate_runs(tenant uuid, before timestamp with time zone, after uuid, most integer, dry boolean)
 RETURNS TABLE(last uuid, removed bigint, kept bigint, oldest timestamp with time zone, newest timestamp with time zone)
 LANGUAGE plpgsql
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  looked  uuid[];
  ended   uuid[];
BEGIN
  IF before > now() - interval '1 day' THEN
    RAISE invalid_parameter_value USING MESSAGE = 'gate runs are kept for a day at least';
  END IF;
  looked := ARRAY(SELECT g.gate_run_id FROM reviews.gate_runs g
                   WHERE g.tenant_id = tenant AND (after IS NULL OR g.gate_run_id > after) AND g.updated_at < before
                   ORDER BY g.gate_run_id LIMIT most);
  last := looked[cardinality(looked)];
  ended := ARRAY(SELECT g.gate_run_id FROM reviews.gate_runs g
                  WHERE g.tenant_id = tenant AND g.gate_run_id = ANY (looked) AND g.verdict <> 'RUNNING'
                    AND (g.review_id IS NULL
                         OR EXISTS (SELECT FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = g.review_id
                                       AND r.status IN ('MERGED', 'CLOSED'))));
  SELECT min(g.created_at), max(g.created_at) INTO oldest, newest FROM reviews.gate_runs g
   WHERE g.tenant_id = tenant AND g.gate_run_id = ANY (ended);
  removed := cardinality(ended);
  IF NOT dry THEN
    -- A verdict is final, and so is the end of a review: what was found stays true.
    DELETE FROM reviews.gate_runs g WHERE g.tenant_id = tenant AND g.gate_run_id = ANY (ended);
    GET DIAGNOSTICS removed = ROW_COUNT;
  END IF;
  kept := cardinality(looked) - removed;
  RETURN NEXT;
END
$function$;

-- Returns what makes up the queue that a caller means: the named repository alone; without a name the only repository
-- that waits, else that of the slot, else the only one of the log, with NULL for the reviews that record none.
-- Refuses with MERGE_QUEUE_AMBIGUOUS as reviews.advance does. reviews.queue_status calls it.
CREATE OR REPLACE FUNCTION reviews.queue_parts(tenant uuid, target text, repo text)
 RETURNS text[]
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  named text := reviews.next_waiting_repository(tenant, target, '');
BEGIN
  IF repo IS NOT NULL THEN
    RETURN ARRAY[repo];
  END IF;
  -- As reviews.look_at_head decides it.
  IF reviews.next_waiting_repository(tenant, target, named) IS NOT NULL THEN
    PERFORM reviews.refuse_ambiguous(tenant, target);
  END IF;
  IF named IS NULL THEN
    named := (reviews.occupant(tenant, target, NULL, true)).repository;
  END IF;
  IF named IS NULL THEN
    named := reviews.next_logged_repository(tenant, target, '');
    IF reviews.next_logged_repository(tenant, target, named) IS NOT NULL THEN
      named := NULL;
    END IF;
  END IF;
  RETURN CASE WHEN named IS NULL THEN ARRAY[NULL]::text[] ELSE ARRAY[named, NULL] END;
END
$function$;

-- Returns one row about a time of 90 days at most, by default the last 30: how many moves of each cause a queue of
-- the tenant had, how long the newest 200 merges took, and its flaky steps. Refuses with INVALID_QUERY a time that is
-- longer or ends before it begins, and with MERGE_QUEUE_AMBIGUOUS as reviews.history_parts does. The reviews service
-- calls it for GET /v1/reviews/merge-queue/statistics.
CREATE OR REPLACE FUNCTION reviews.queue_statistics(tenant uuid, target text, repo text, since timestamp with time zone, until timestamp with time zone)
 RETURNS TABLE(repository text, from_time timestamp with time zone, to_time timestamp with time zone, outcomes jsonb, ready_to_merge jsonb, merge_to_merged jsonb, ready_to_merged jsonb, flaky_steps jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  parts   text[];
  earlier bigint;
  later   bigint;
BEGIN
  to_time := coalesce(until, now());
  from_time := coalesce(since, greatest(to_time - interval '30 days', '0001-01-01T00:00:00Z'));
  IF from_time > to_time THEN
    PERFORM tenancy.refuse('INVALID_QUERY', jsonb_build_object('field', 'since'), 'since must not be later than until.');
  ELSIF from_time < to_time - interval '90 days' THEN
    PERFORM tenancy.refuse('INVALID_QUERY', jsonb_build_object('field', 'since'),
      'since must be at most 90 days before until.');
  END IF;
  parts := reviews.history_parts(tenant, target, repo);
  repository := parts[1];
  earlier := reviews.version_at(tenant, target, from_time - interval '1 microsecond');
  later := reviews.version_at(tenant, target, to_time);
  outcomes := (
    SELECT jsonb_object_agg(counted.cause, counted.moves)
      FROM (SELECT c.cause, sum(reviews.count_moves(tenant, target, part, c.cause, later)
                                - reviews.count_moves(tenant, target, part, c.cause, earlier)) AS moves
              FROM unnest(ARRAY['BUILD_SUCCEEDED', 'PROMOTED', 'PROMOTED_BY_OVERRIDE', 'MERGED', 'RECONCILED',
                                'GATE_FAILED', 'BUILD_FAILED', 'REQUEUED', 'CLOSED']) AS c (cause),
                   unnest(parts) AS part
             GROUP BY c.cause) AS counted);
  SELECT reviews.durations(array_agg(extract(epoch FROM m.promoted_at - m.ready_at)::double precision)),
         reviews.durations(array_agg(extract(epoch FROM m.merged_at - m.promoted_at)::double precision)),
         reviews.durations(array_agg(extract(epoch FROM m.merged_at - m.ready_at)::double precision))
    INTO ready_to_merge, merge_to_merged, ready_to_merged
    FROM reviews.merges(tenant, target, parts, earlier + 1, later, 200) m;
  flaky_steps := reviews.flaky_steps(tenant, target, parts, from_time, to_time);
  RETURN NEXT;
END
$function$;

-- Returns one row about a queue of the tenant: its version, the review at MERGE with its clocks and gate run, when a
-- free slot was freed, the head, the last merges with what the newest ones found when they entered, and a page of
-- those that wait. Refuses with MERGE_QUEUE_AMBIGUOUS as reviews.queue_parts does. The reviews service calls it for
-- GET /v1/reviews/merge-queue/status.
CREATE OR REPLACE FUNCTION reviews.queue_status(tenant uuid, target text, repo text, after_ticket bigint, page integer)
 RETURNS TABLE(asked_at timestamp with time zone, repository text, version bigint, slot jsonb, freed_at timestamp with time zone, head jsonb, merges jsonb, entries jsonb)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  parts    text[] := reviews.queue_parts(tenant, target, repo);
  occupant reviews.reviews := reviews.occupant(tenant, target, parts[1], repo IS NULL);
  promoted reviews.queue_moves;
BEGIN
  asked_at := now();
  repository := parts[1];
  version := coalesce((SELECT q.version FROM reviews.queues q
                        WHERE q.tenant_id = tenant AND q.target_branch = target), 0);
  IF occupant.review_id IS NOT NULL THEN
    slot := (
      SELECT jsonb_build_object('review', to_jsonb(occupant), 'since', reviews.instant(p.moved_at),
               'readyAt', reviews.instant(e.moved_at), 'gate', (
                 SELECT jsonb_build_object('gateRunId', g.gate_run_id, 'verdict', g.verdict, 'since',
                          reviews.instant(CASE g.verdict WHEN 'RUNNING' THEN g.created_at ELSE g.updated_at END))
                   FROM reviews.gate_of_slot(tenant, occupant.review_id, p.moved_at) g))
        -- A review came to MERGE by its last move, and to READY by the one before.
        FROM reviews.move_beside(tenant, occupant.review_id, 9223372036854775807, false) p
       CROSS JOIN LATERAL reviews.move_beside(tenant, occupant.review_id, p.version, false) e);
  ELSE
    promoted := reviews.promotion_beside(tenant, target, parts, 9223372036854775807, false);
    freed_at := (SELECT n.moved_at FROM reviews.move_beside(tenant, promoted.review_id, promoted.version, true) n);
  END IF;
  head := (
    SELECT jsonb_build_object('since', reviews.instant(e.moved_at), 'openThreads', reviews.open_threads(w))
      FROM reviews.waiting_after(tenant, target, parts, 0, 1) w
     CROSS JOIN LATERAL reviews.move_beside(tenant, w.review_id, 9223372036854775807, false) e);
  merges := (
    SELECT jsonb_agg(jsonb_build_object(
             'readyAt', reviews.milliseconds(m.ready_at), 'promotedAt', reviews.milliseconds(m.promoted_at),
             'mergedAt', reviews.milliseconds(m.merged_at), 'found', (
               SELECT jsonb_build_object('turns', f.turns, 'turnReadyAt', reviews.milliseconds(f.turn_ready_at))
                 FROM reviews.found_at_entry(tenant, target, parts, m.entry_version, m.promoted_version, m.ticket) f
                WHERE m.place <= 20 AND m.ready_at >= now() - interval '7 days'))
           ORDER BY m.version DESC)
      FROM (SELECT l.*, row_number() OVER (ORDER BY l.version DESC) AS place
              FROM reviews.merges(tenant, target, parts, 0, 9223372036854775807, 51) l) AS m);
  entries := (
    SELECT jsonb_agg(to_jsonb(w) || jsonb_build_object(
             'since', reviews.instant(e.moved_at), 'openThreads', reviews.open_threads(w)) ORDER BY w.ticket)
      FROM reviews.waiting_after(tenant, target, parts, after_ticket, page) w
     CROSS JOIN LATERAL reviews.move_beside(tenant, w.review_id, 9223372036854775807, false) e);
  RETURN NEXT;
END
$function$;

-- Moves a review to READY at the tail by a green build of it, and returns it. Refuses with NOT_FOUND as
-- reviews.expect_build does. The reviews service calls it for PATCH status READY.
CREATE OR REPLACE FUNCTION reviews.ready_by_build(tenant uuid, review uuid, build uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  PERFORM reviews.expect_build(tenant, review, build, true);
  RETURN QUERY SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.make_ready(r, build) m;
END
$function$;

-- Stores the verdict on the content of a merge whose verification did not compute it, and returns the row. No row if
-- there is one already, if the verdict was computed with the merge, or if it is about another commit than the
-- reported one. The reviews service calls it a little after the merge, and when a receipt is read.
CREATE OR REPLACE FUNCTION reviews.record_later_content(tenant uuid, review uuid, proof jsonb)
 RETURNS SETOF reviews.later_contents
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  INSERT INTO reviews.later_contents (tenant_id, review_id, parent_commit_id, tree_id, commit_id, source_tip,
    landed_commit_id, built_on_commit_id, content_verdict, content_reason, content_findings, content_findings_left_out)
  SELECT v.tenant_id, v.review_id, proof ->> 'parentCommitId', proof ->> 'treeId', proof ->> 'commitId',
         proof ->> 'sourceTip', proof ->> 'landedCommitId', proof ->> 'builtOnCommitId', proof ->> 'contentVerdict',
         proof ->> 'contentReason', coalesce(proof -> 'findings', '[]'),
         coalesce((proof ->> 'findingsLeftOut')::integer, 0)
    FROM reviews.verifications v
   WHERE v.tenant_id = tenant AND v.review_id = review AND v.content_reason = 'not_computed'
     -- Through the queue it is the commit that was reported, and no other.
     AND (v.commit_id IS NULL OR proof ->> 'commitId' IS NULL OR v.commit_id = proof ->> 'commitId')
  ON CONFLICT DO NOTHING
  RETURNING *
$function$;

-- Stores why a merge is believed, before its review becomes MERGED. The proof is a JSON object in the fields of
-- MergeProof (apps/reviews); without a build the merge is a reconciliation.
CREATE OR REPLACE FUNCTION reviews.record_verification(subject reviews.reviews, build uuid, repo text, proof jsonb, release_error text)
 RETURNS void
 LANGUAGE sql
AS $function$
  INSERT INTO reviews.verifications (tenant_id, review_id, route, remote_url, repository, target_branch, target_tip,
    commit_id, parent_commit_id, tree_id, anchor_commit_id, source_tip, build_id, conditions, content_verdict,
    content_reason, release_error, statement_version, landed_commit_id, built_on_commit_id, content_findings,
    content_findings_left_out)
  VALUES (subject.tenant_id, subject.review_id, CASE WHEN build IS NULL THEN 'reconciled' ELSE 'queue' END,
    proof ->> 'remoteUrl', repo, subject.target_branch, proof ->> 'targetTip', proof ->> 'commitId',
    proof ->> 'parentCommitId', proof ->> 'treeId', proof ->> 'anchorCommitId', proof ->> 'sourceTip', build,
    ARRAY(SELECT jsonb_array_elements_text(coalesce(proof -> 'conditions', '[]'))),
    coalesce(proof ->> 'contentVerdict', 'UNKNOWN'),
    CASE WHEN proof ? 'contentVerdict' THEN proof ->> 'contentReason' ELSE 'not_computed' END,
    release_error, (proof ->> 'statementVersion')::smallint, proof ->> 'landedCommitId', proof ->> 'builtOnCommitId',
    coalesce(proof -> 'findings', '[]'), coalesce((proof ->> 'findingsLeftOut')::integer, 0))
$function$;

-- Refuses with MERGE_QUEUE_AMBIGUOUS, whose details name the repositories that wait and the waiting reviews that
-- record none. reviews.look_at_head calls it.
CREATE OR REPLACE FUNCTION reviews.refuse_ambiguous(tenant uuid, target text)
 RETURNS void
 LANGUAGE sql
AS $function$
  WITH RECURSIVE named AS (
    SELECT reviews.next_waiting_repository(tenant, target, '') AS repository
    UNION ALL
    SELECT reviews.next_waiting_repository(tenant, target, named.repository) FROM named
     WHERE named.repository IS NOT NULL
  )
  SELECT tenancy.refuse('MERGE_QUEUE_AMBIGUOUS', jsonb_build_object(
    'targetBranch', target,
    'repositories', (SELECT jsonb_agg(named.repository ORDER BY named.repository) FROM named
                      WHERE named.repository IS NOT NULL),
    'unrecordedRepositoryReviewIds', coalesce((
       SELECT jsonb_agg(r.review_id ORDER BY r.ticket) FROM reviews.reviews r
        WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository IS NULL AND r.status = 'READY'), '[]')))
$function$;

-- Trigger: refuses a change or a deletion, except the deletion of a row of a tenant that is ending.
CREATE OR REPLACE FUNCTION reviews.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  IF TG_OP = 'DELETE' AND identity.is_ending(OLD.tenant_id) THEN
    RETURN OLD;
  END IF;
  PERFORM reviews.expect(false, format('%s of %I.%I is not done', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME));
  RETURN NULL;
END
$function$;

-- Takes an assignment back; returns false if there was none. The reviews service calls it for DELETE
-- /v1/reviews/{review_id}/reviewers/{user_id}.
CREATE OR REPLACE FUNCTION reviews.remove_reviewer(tenant uuid, review uuid, usr uuid)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
BEGIN
  DELETE FROM reviews.reviewers w WHERE w.tenant_id = tenant AND w.review_id = review AND w.user_id = usr;
  RETURN FOUND;
END
$function$;

-- Moves a review back to READY at the tail, and returns it. The reviews service calls it for PATCH status READY
-- without a build, for a review that it has seen at MERGE.
CREATE OR REPLACE FUNCTION reviews.requeue(tenant uuid, review uuid)
 RETURNS SETOF reviews.reviews
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$ SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.make_ready(r, NULL) m $function$;

-- Returns whether a review of that id is visible. The listings of what a review has and releases.enqueue ask it
-- before they refuse with NOT_FOUND.
CREATE OR REPLACE FUNCTION reviews.review_exists(tenant uuid, review uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT EXISTS (SELECT FROM reviews.reviews r
                  WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review)
$function$;

-- Closes or reopens a thread and returns its root; no row unless the transaction's user opened it. The reviews
-- service calls it for PATCH /v1/reviews/{review_id}/comments/{comment_id}/status.
CREATE OR REPLACE FUNCTION reviews.set_thread_status(tenant uuid, comment uuid, wanted text)
 RETURNS SETOF reviews.comments
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  UPDATE reviews.comments c SET status = wanted, updated_at = clock_timestamp()
   WHERE c.tenant_id = tenant AND c.comment_id = comment AND c.creator_user_id = tenancy.user_id() RETURNING c.*
$function$;

-- Returns the version that a queue had at a time; 0 before its first move. reviews.queue_statistics calls it.
CREATE OR REPLACE FUNCTION reviews.version_at(tenant uuid, target text, at timestamp with time zone)
 RETURNS bigint
 LANGUAGE plpgsql
 STABLE
AS $function$
DECLARE
  low    bigint := 0;
  high   bigint := coalesce((SELECT q.version FROM reviews.queues q
                              WHERE q.tenant_id = tenant AND q.target_branch = target), 0);
  middle bigint;
BEGIN
  -- Versions and times rise together, because both are taken under the queue's lock.
  WHILE low < high LOOP
    middle := (low + high + 1) / 2;
    IF (SELECT m.created_at FROM reviews.queue_moves m
         WHERE m.tenant_id = tenant AND m.target_branch = target AND m.version = middle) <= at THEN
      low := middle;
    ELSE
      high := middle - 1;
    END IF;
  END LOOP;
  RETURN low;
END
$function$;

-- Returns, by its place, a text that changes with each change of what is asked for: a review, a gateRun, the line of
-- a queue (of all queues, if id is NULL) or the status of a queue: its line, the open threads and the gate runs of
-- its slot. It is asked for each tenant by a proof: [{proof, across, watched: [{place, kind, id}]}]. NULL if there is
-- no such thing, the proof does not hold or the tenant is not served. Each process of the reviews service calls it
-- once a second while requests wait.
CREATE OR REPLACE FUNCTION reviews.versions_of(asked jsonb)
 RETURNS TABLE(place bigint, version text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
DECLARE
  scope    record;
  readable uuid[];
  threads  text;
BEGIN
  FOR scope IN SELECT s.proof, s.across, s.watched
                 FROM jsonb_to_recordset(asked) AS s (proof text, across boolean, watched jsonb)
  LOOP
    BEGIN
      readable := identity.readable_tenants(tenancy.enter_as(scope.proof, scope.across));
    EXCEPTION WHEN SQLSTATE 'PL001' OR insufficient_privilege THEN
      -- A tenant that is not served any more fails no other. Its requests are refused when they are judged again.
      readable := NULL;
    END;
    -- Once for all queues of the tenant, since an index has just the open threads.
    IF jsonb_path_exists(scope.watched, '$[*] ? (@.kind == "status")') THEN
      SELECT concat_ws('.', count(*), sum(hashtextextended(c.review_id::text, 0))) INTO threads
        FROM reviews.comments c WHERE c.tenant_id = ANY (readable) AND c.status = 'OPEN';
    END IF;
    RETURN QUERY
    SELECT w.place, CASE
      WHEN readable IS NULL THEN NULL
      -- A row's xmin is the transaction that wrote it.
      WHEN w.kind = 'review' THEN (
        SELECT string_agg(r.xmin::text, ',') FROM reviews.reviews r
         WHERE r.tenant_id = ANY (readable) AND r.review_id = w.id::uuid)
      WHEN w.kind = 'gateRun' THEN (
        SELECT string_agg(g.xmin::text, ',') FROM reviews.gate_runs g
         WHERE g.tenant_id = ANY (readable) AND g.gate_run_id = w.id::uuid)
      WHEN w.kind IN ('queue', 'status') AND w.id IS NOT NULL THEN (
        SELECT concat_ws('.', count(*), sum(q.version)) FROM reviews.queues q
         WHERE q.tenant_id = ANY (readable) AND q.target_branch = w.id)
      WHEN w.kind = 'queue' THEN (
        SELECT concat_ws('.', count(*), sum(q.version)) FROM reviews.queues q WHERE q.tenant_id = ANY (readable))
      END || CASE WHEN w.kind = 'status' THEN concat_ws('/', '', threads,
        -- The last gate runs of the reviews at MERGE.
        (SELECT concat_ws('.', count(*), sum(hashtextextended(g.gate_run_id::text, g.written)))
           FROM reviews.reviews r
          CROSS JOIN LATERAL (
            SELECT n.gate_run_id, n.xmin::text::bigint AS written FROM reviews.gate_runs n
             WHERE n.tenant_id = r.tenant_id AND n.review_id = r.review_id
             ORDER BY n.created_at DESC, n.gate_run_id DESC LIMIT 1000) AS g
          WHERE r.tenant_id = ANY (readable) AND r.target_branch = w.id AND r.status = 'MERGE')) ELSE '' END
      FROM jsonb_to_recordset(scope.watched) AS w (place bigint, kind text, id text);
  END LOOP;
END
$function$;

-- Returns the reviews of a queue that wait, in its order, after a ticket. reviews.queue_status calls it.
CREATE OR REPLACE FUNCTION reviews.waiting_after(tenant uuid, target text, parts text[], after_ticket bigint, page integer)
 RETURNS SETOF reviews.reviews
 LANGUAGE plpgsql
 STABLE
AS $function$
BEGIN
  -- A statement for each kind of part, because IS NOT DISTINCT FROM cannot use an index.
  RETURN QUERY
    SELECT w.* FROM (
      (SELECT r.* FROM reviews.reviews r
        WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository = parts[1] AND r.status = 'READY'
          AND r.ticket > after_ticket
        ORDER BY r.ticket LIMIT page)
      UNION ALL
      (SELECT r.* FROM reviews.reviews r
        WHERE parts[cardinality(parts)] IS NULL AND r.tenant_id = tenant AND r.target_branch = target
          AND r.repository IS NULL AND r.status = 'READY' AND r.ticket > after_ticket
        ORDER BY r.ticket LIMIT page)) AS w
     ORDER BY w.ticket LIMIT page;
END
$function$;
CREATE TRIGGER judge BEFORE INSERT OR UPDATE ON reviews.queues FOR EACH ROW EXECUTE FUNCTION reviews.judge_queue();
CREATE TRIGGER refuse_delete BEFORE DELETE ON reviews.queues FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();
CREATE TRIGGER judge_move BEFORE UPDATE ON reviews.reviews FOR EACH ROW EXECUTE FUNCTION reviews.judge_move();
CREATE TRIGGER judge_new BEFORE INSERT ON reviews.reviews FOR EACH ROW EXECUTE FUNCTION reviews.judge_new_review();
CREATE TRIGGER refuse_delete BEFORE DELETE ON reviews.reviews FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();
CREATE TRIGGER number_move BEFORE INSERT ON reviews.queue_moves FOR EACH ROW EXECUTE FUNCTION reviews.number_move();
CREATE TRIGGER refuse_change BEFORE DELETE OR UPDATE ON reviews.queue_moves FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();
CREATE TRIGGER judge BEFORE INSERT OR UPDATE ON reviews.verifications FOR EACH ROW EXECUTE FUNCTION reviews.judge_verification();
CREATE TRIGGER refuse_delete BEFORE DELETE ON reviews.verifications FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();

GRANT SELECT ON reviews.comments TO plat_inspector;
GRANT SELECT ON reviews.gate_runs TO plat_inspector;
GRANT SELECT ON reviews.later_contents TO plat_inspector;
GRANT SELECT ON reviews.later_contents TO plat_ledger_owner;
GRANT SELECT ON reviews.later_contents TO plat_ledger_sealer;
GRANT SELECT (tenant_id, target_branch, version, review_id, move, created_at) ON reviews.queue_moves TO plat_figures_owner;
GRANT SELECT ON reviews.queue_moves TO plat_inspector;
GRANT SELECT ON reviews.queues TO plat_inspector;
GRANT SELECT ON reviews.reviewers TO plat_inspector;
GRANT REFERENCES ON reviews.reviews TO plat_builds_owner;
GRANT SELECT (tenant_id, review_id, repository, target_branch, status, ticket) ON reviews.reviews TO plat_figures_owner;
GRANT SELECT ON reviews.reviews TO plat_inspector;
GRANT SELECT (tenant_id, review_id, name, source_branch) ON reviews.reviews TO plat_ledger_owner;
GRANT SELECT (tenant_id, review_id, name, source_branch) ON reviews.reviews TO plat_ledger_sealer;
GRANT REFERENCES ON reviews.reviews TO plat_releases_owner;
GRANT SELECT ON reviews.verifications TO plat_inspector;
GRANT SELECT ON reviews.verifications TO plat_ledger_owner;
GRANT SELECT ON reviews.verifications TO plat_ledger_sealer;
GRANT EXECUTE ON FUNCTION reviews.accept_history_merge(uuid,uuid,text,text,text,jsonb) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.accept_queue_merge(uuid,uuid,uuid,uuid,text,text,jsonb) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.add_reviewer(uuid,uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.advance(uuid,text,text,boolean,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.apply_build(uuid,uuid,uuid,text,boolean) TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION reviews.begin_build_report(uuid,uuid) TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION reviews.begin_move(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.close_review(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.content_verdicts(uuid,uuid[]) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.create_comment(uuid,uuid,uuid,uuid,text,text,integer,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.create_gate_run(uuid,uuid,text,text,text,text,uuid,text,text,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.create_review(uuid,uuid,uuid,text,text,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.decide_gate_run(uuid,uuid,text,text,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.divergent_landings(uuid,text,text,integer) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.fail_by_build(uuid,uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.get_gate_run(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.get_merge_receipt(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.get_review(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.hold_review(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.list_gate_runs(uuid,text,text,text,uuid,timestamp with time zone,uuid,integer) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.lock_comment(uuid,uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.merge_case(uuid,uuid,uuid,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.needed_builds(uuid,uuid[],uuid[]) TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION reviews.page_comments(uuid,uuid,text,text,integer,timestamp with time zone,uuid,integer) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.page_history(uuid,uuid,bigint,integer) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.page_merge_queue(uuid,text,text,timestamp with time zone,text,bigint,uuid,integer) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.page_reviewers(uuid,uuid,timestamp with time zone,uuid,integer) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.page_reviews(uuid,text,text,text,text,uuid,uuid,timestamp with time zone,uuid,integer) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.queue_statistics(uuid,text,text,timestamp with time zone,timestamp with time zone) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.queue_status(uuid,text,text,bigint,integer) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.ready_by_build(uuid,uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.record_later_content(uuid,uuid,jsonb) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.remove_reviewer(uuid,uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.requeue(uuid,uuid) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.review_exists(uuid,uuid) TO plat_builds_owner;
GRANT EXECUTE ON FUNCTION reviews.review_exists(uuid,uuid) TO plat_releases_owner;
GRANT EXECUTE ON FUNCTION reviews.set_thread_status(uuid,uuid,text) TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.versions_of(jsonb) TO plat_reviews;
