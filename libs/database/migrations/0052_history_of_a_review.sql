-- The log of moves keeps why and by whom each move was made, and a review's history is read from it.
-- Guarantees: each new row has its cause and its actor, a build exactly if one is the cause, and a reason only for a
-- promotion that passed over open threads. The build of a move is the one that the review itself then names (judge_move).
-- On a live table: four columns without a default, and a check that looks at new rows only. A row from before has none
-- of the four and is shown without an actor. The index queue_moves_of_review is made after the migrations
-- (concurrent-indexes.ts). The release before calls advance with four arguments, which still is the function below: its
-- overrides are logged as such, without the reason.

SET ROLE plat_identity_owner;

CREATE FUNCTION identity.username(tenant uuid, usr uuid) RETURNS text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT u.username FROM identity.users u WHERE u.tenant_id = tenant AND u.user_id = usr $$;
COMMENT ON FUNCTION identity.username IS
  'Returns the name of a user of a visible tenant, or NULL. reviews.page_history calls it.';
REVOKE ALL ON FUNCTION identity.username(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION identity.username(uuid, uuid) TO plat_reviews_owner;

RESET ROLE;
SET ROLE plat_reviews_owner;

ALTER TABLE reviews.queue_moves
  ADD COLUMN cause text,
  ADD COLUMN actor_user_id uuid,
  ADD COLUMN build_id uuid,
  ADD COLUMN reason text;
ALTER TABLE reviews.queue_moves
  ADD CONSTRAINT queue_moves_cause CHECK (CASE
    WHEN cause IS NULL THEN num_nonnulls(actor_user_id, build_id, reason) = 0
    ELSE actor_user_id IS NOT NULL
      AND (move, cause) IN (('ready', 'BUILD_SUCCEEDED'), ('promote', 'PROMOTED'), ('promote', 'PROMOTED_BY_OVERRIDE'),
                            ('requeue', 'REQUEUED'), ('fail', 'BUILD_FAILED'), ('fail', 'GATE_FAILED'),
                            ('close', 'CLOSED'), ('merge', 'MERGED'), ('reconcile', 'RECONCILED'))
      AND (build_id IS NOT NULL) = (move IN ('ready', 'fail', 'merge'))
      AND (reason IS NULL OR cause = 'PROMOTED_BY_OVERRIDE')
    END) NOT VALID;
COMMENT ON TABLE reviews.queue_moves IS
  'The log of the queues: one row a move, numbered by the queue''s version, with its cause, who made it, the build that '
  'is the cause and the reason that an override gave. Rows from before 0052 have none of these four. A trigger refuses '
  'a change or a deletion, so that the order of a queue can be proven afterwards (npm run invariants). '
  'reviews.page_history reads a review''s history from it.';

CREATE FUNCTION reviews.plain_cause(move text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN CASE move WHEN 'ready' THEN 'BUILD_SUCCEEDED' WHEN 'promote' THEN 'PROMOTED' WHEN 'requeue' THEN 'REQUEUED'
                 WHEN 'fail' THEN 'BUILD_FAILED' WHEN 'close' THEN 'CLOSED' WHEN 'merge' THEN 'MERGED'
                 WHEN 'reconcile' THEN 'RECONCILED' END;
COMMENT ON FUNCTION reviews.plain_cause IS
  'Returns the cause of a move of that name, if nothing more is known of it: the gate''s failure is then that of a '
  'build, and an override a promotion. reviews.log_move and, for rows from before 0052, reviews.page_history ask it.';

CREATE FUNCTION reviews.log_move(subject reviews.reviews, move text, build uuid DEFAULT NULL, cause text DEFAULT NULL,
  reason text DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql
AS $$
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
$$;
COMMENT ON FUNCTION reviews.log_move(reviews.reviews, text, uuid, text, text) IS
  'Logs a move of a review by the transaction''s user under the next version of its queue, and raises the queue''s '
  'counters by it. Without a cause it is that of reviews.plain_cause. Returns the number of the merge for a merge, else '
  'the last ticket, which a move to READY has just taken. Each move calls it before it changes the review; the caller '
  'holds the queue''s lock.';

REVOKE ALL ON FUNCTION reviews.plain_cause(text), reviews.log_move(reviews.reviews, text, uuid, text, text) FROM PUBLIC;

-- As before (0008), and the build is logged.
CREATE OR REPLACE FUNCTION reviews.make_ready(subject reviews.reviews, build uuid) RETURNS reviews.reviews
LANGUAGE plpgsql
AS $$
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
$$;
COMMENT ON FUNCTION reviews.make_ready IS
  'Moves a review to READY at the tail of its queue, by a build or, if build is NULL, by a requeue. Returns it as it '
  'then stands. The caller holds the queue''s lock.';

-- As before (0008), and the build is logged, as the gate's if its kind says so.
CREATE OR REPLACE FUNCTION reviews.fail(subject reviews.reviews, build uuid) RETURNS reviews.reviews
LANGUAGE plpgsql
AS $$
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
$$;
COMMENT ON FUNCTION reviews.fail IS
  'Moves a review to FAILED by a build, and frees its place or slot. Returns it as it then stands. The caller holds '
  'the queue''s lock.';

CREATE FUNCTION reviews.promote(subject reviews.reviews, override boolean DEFAULT false, reason text DEFAULT NULL)
RETURNS reviews.reviews
LANGUAGE plpgsql
AS $$
DECLARE
  changed reviews.reviews;
BEGIN
  PERFORM reviews.log_move(subject, 'promote', NULL, CASE WHEN override THEN 'PROMOTED_BY_OVERRIDE' END, reason);
  UPDATE reviews.reviews r SET status = 'MERGE', ticket = NULL, updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$$;
COMMENT ON FUNCTION reviews.promote(reviews.reviews, boolean, text) IS
  'Moves a review to MERGE, and logs that its threads were passed over if override is true. Returns it as it then '
  'stands. The caller holds the queue''s lock and has looked at the head. reviews.advance and reviews.apply_build call '
  'it.';

REVOKE ALL ON FUNCTION reviews.promote(reviews.reviews, boolean, text) FROM PUBLIC;

-- Until the transition ends, a release from before 0025 makes its moves as its own login.
DO $$
BEGIN
  IF has_function_privilege('plat_reviews', 'reviews.log_move(reviews.reviews, text)', 'EXECUTE') THEN
    GRANT EXECUTE ON FUNCTION reviews.plain_cause(text), reviews.log_move(reviews.reviews, text, uuid, text, text),
      reviews.promote(reviews.reviews, boolean, text) TO plat_reviews;
  END IF;
END
$$;
DROP FUNCTION reviews.log_move(reviews.reviews, text), reviews.promote(reviews.reviews);

DROP FUNCTION reviews.advance(uuid, text, text, boolean);
-- As before (0018), and the log keeps the reason of an override.
CREATE FUNCTION reviews.advance(tenant uuid, target text, repo text, override boolean, reason text DEFAULT NULL)
RETURNS SETOF reviews.reviews
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;
COMMENT ON FUNCTION reviews.advance IS
  'Promotes the head of a queue to MERGE and returns it. Refuses with MERGE_QUEUE_AMBIGUOUS, MERGE_QUEUE_OCCUPIED or '
  'EMPTY_QUEUE and, unless override, with unresolved_threads if a thread of the head is OPEN. The reviews service '
  'calls it for POST /v1/reviews/merge-queue/advance and override-advance, which gives the reason that the log keeps.';
REVOKE ALL ON FUNCTION reviews.advance(uuid, text, text, boolean, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.advance(uuid, text, text, boolean, text) TO plat_reviews;

-- As before (0024), and the build is logged.
CREATE OR REPLACE FUNCTION reviews.accept_queue_merge(tenant uuid, review uuid, build uuid, release uuid, expected_repo text, repo text, proof jsonb)
 RETURNS TABLE(merged reviews.reviews, release_error text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
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
$$;
COMMENT ON FUNCTION reviews.accept_queue_merge IS
  'Moves a review from MERGE to MERGED as verified, queues its release under a savepoint, and returns the review '
  'with the error of the release, if any. No row, and no change, if status, repository or anchor are no longer '
  'those of the judgement. The reviews service calls it with what the verifier has confirmed.';

-- As before (0051), and the build of the logged move is the one that the review then names.
CREATE OR REPLACE FUNCTION reviews.judge_move()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $$
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
$$;
COMMENT ON FUNCTION reviews.judge_move IS
  'Trigger of each update of reviews.reviews: raises integrity_constraint_violation unless the review keeps what it '
  'was created with, moves along its state machine, has the last entry of its queue''s log as its move, a requeue '
  'from MERGE alone, and satisfies reviews.judge_ground.';

CREATE FUNCTION reviews.page_history(tenant uuid, review uuid, before bigint, page integer) RETURNS TABLE(
  moved_at timestamp with time zone, from_status text, to_status text, cause text, actor_user_id uuid,
  actor_username text, build_id uuid, reason text, ticket bigint, queue_version bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;
COMMENT ON FUNCTION reviews.page_history IS
  'Returns one page of a visible review''s moves, newest first, from before a version of its queue; the creation is the '
  'oldest, with version 0. Refuses with NOT_FOUND if no such review is visible. The reviews service calls it for GET '
  '/v1/reviews/{review_id}/history.';
REVOKE ALL ON FUNCTION reviews.page_history(uuid, uuid, bigint, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.page_history(uuid, uuid, bigint, integer) TO plat_reviews;

RESET ROLE;

-- As before (0025), with the present log_move and promote.
CREATE OR REPLACE PROCEDURE tenancy.end_transition()
LANGUAGE plpgsql
AS $$
DECLARE
  login  name;
  target record;
BEGIN
  FOR target IN SELECT c.oid::regclass AS name FROM pg_class c
                 WHERE c.relkind IN ('r', 'p', 'S') AND pg_get_userbyid(c.relowner) LIKE 'plat\_%\_owner'
  LOOP
    FOREACH login IN ARRAY ARRAY['plat_reviews', 'plat_builds', 'plat_releases', 'plat_audit', 'plat_platform',
                                 'plat_operations']::name[]
    LOOP
      EXECUTE format('REVOKE ALL ON %s FROM %I', target.name, login);
    END LOOP;
  END LOOP;
  -- Columns have grants of their own.
  REVOKE ALL (tenant_id, audit_event_id, request_id, erun_user_id, external_user_id, external_issuer_id, external_org_id,
              type, api_method, api_path, mcp_tool, cli_command, created_at)
    ON audit.audit_events FROM plat_audit, plat_operations;
  REVOKE ALL (verdict, failing_step, log_ref, updated_at) ON reviews.gate_runs FROM plat_reviews;

  FOR target IN SELECT p.polname AS policy, p.polrelid::regclass AS name FROM pg_policy p WHERE p.polname = 'operations'
  LOOP
    EXECUTE format('DROP POLICY operations ON %s', target.name);
  END LOOP;

  FOR target IN SELECT f.oid::regprocedure AS name FROM pg_proc f
                 WHERE pg_get_userbyid(f.proowner) LIKE 'plat\_%\_owner'
                   AND has_function_privilege('plat_operations', f.oid, 'EXECUTE')
  LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM plat_operations', target.name);
  END LOOP;

  REVOKE EXECUTE ON FUNCTION
    reviews.lock_queue(uuid, text), reviews.lock_review(uuid, uuid), reviews.plain_cause(text),
    reviews.log_move(reviews.reviews, text, uuid, text, text), reviews.promote(reviews.reviews, boolean, text),
    reviews.make_ready(reviews.reviews, uuid), reviews.fail(reviews.reviews, uuid), reviews.close(reviews.reviews),
    reviews.head_of(uuid, text, text), reviews.next_waiting_repository(uuid, text, text),
    reviews.refuse_ambiguous(uuid, text), reviews.occupant(uuid, text, text, boolean),
    reviews.look_at_head(uuid, text, text), reviews.open_threads(reviews.reviews),
    reviews.may_continue(reviews.reviews), reviews.anchor(uuid, text, text), reviews.review_exists(uuid, uuid),
    reviews.apply_build(uuid, uuid, uuid, text, boolean), reviews.begin_build_report(uuid, uuid),
    reviews.list_reviews(uuid, text, text, text, text, uuid, uuid), reviews.list_merge_queue(uuid, text, text),
    builds.build_facts(uuid, uuid), releases.enqueue(uuid, uuid, uuid, text, text) FROM plat_reviews;
  REVOKE EXECUTE ON FUNCTION
    reviews.review_exists(uuid, uuid), reviews.apply_build(uuid, uuid, uuid, text, boolean),
    reviews.begin_build_report(uuid, uuid), environments.environment_name(uuid, uuid),
    builds.list_review_builds(uuid, uuid) FROM plat_builds;
  REVOKE EXECUTE ON FUNCTION reviews.review_exists(uuid, uuid), releases.list_releases(uuid, text, uuid, text),
    releases.list_review_releases(uuid, uuid) FROM plat_releases;
  REVOKE EXECUTE ON FUNCTION environments.claim_deletion(uuid, int), environments.list_environments(uuid),
    identity.list_users(uuid), identity.list_roles(uuid), identity.tenant_name(uuid) FROM plat_platform;
  REVOKE EXECUTE ON FUNCTION audit.record(jsonb), identity.resolve(text, text, text), identity.readable_tenants(uuid)
    FROM plat_reviews, plat_builds, plat_releases, plat_audit, plat_platform;

  UPDATE identity.proof_keys SET release_before = false, closed = true;
END
$$;
COMMENT ON PROCEDURE tenancy.end_transition IS
  'Takes from the logins what only a release from before 0025 needs, and stops believing a tenant that is merely '
  'named. It may run again at any time. npm run db -- finish calls it, and the migration of a new database.';
