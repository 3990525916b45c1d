-- What a review, a queue and a record of a merge may become is refused by the database itself, whoever writes.
-- Guarantees, by trigger: a review moves along its state machine and never leaves MERGED or CLOSED; READY and FAILED rest
-- on a build of that review with that outcome; MERGED rests on its verification record, and a record through the queue on
-- the successful GATE build of its commit and on the queue's anchor; every move of a review is the last one of its
-- queue's log, and no counter of a queue moves without its entry.
-- On a live table: triggers and functions only, which lock each table for a moment. What the release before calls keeps
-- its name and its parameters.

SET ROLE plat_reviews_owner;

-- Refuses what no function of ours does; it is no refusal of the API.
CREATE FUNCTION reviews.expect(holds boolean, rule text) RETURNS void
LANGUAGE plpgsql IMMUTABLE
AS $$
BEGIN
  IF holds IS NOT TRUE THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = rule;
  END IF;
END
$$;

CREATE FUNCTION reviews.judge_new_review() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM reviews.expect(NEW.status = 'OPEN', 'a new review is OPEN');
  RETURN NEW;
END
$$;

CREATE FUNCTION reviews.judge_move() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
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
  SELECT m.move, m.ticket, q.last_merge INTO logged
    FROM reviews.queues q JOIN reviews.queue_moves m USING (tenant_id, target_branch, version)
   WHERE q.tenant_id = NEW.tenant_id AND q.target_branch = NEW.target_branch AND m.review_id = NEW.review_id;
  PERFORM reviews.expect(CASE NEW.status
      WHEN 'READY' THEN logged.move IN ('ready', 'requeue') AND logged.ticket = NEW.ticket
      WHEN 'MERGE' THEN logged.move = 'promote'
      WHEN 'FAILED' THEN logged.move = 'fail'
      WHEN 'CLOSED' THEN logged.move = 'close'
      ELSE logged.move = CASE WHEN NEW.merge_sequence IS NULL THEN 'reconcile' ELSE 'merge' END
           AND (NEW.merge_sequence IS NULL OR NEW.merge_sequence = logged.last_merge) END,
    'a move of a review is the last one of its queue''s log');
  PERFORM reviews.judge_ground(OLD, NEW);
  RETURN NEW;
END
$$;

-- What the status rests on: a build of the review, or the record of a verification.
CREATE FUNCTION reviews.judge_ground(former reviews.reviews, moved reviews.reviews) RETURNS void
LANGUAGE plpgsql
AS $$
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
$$;

CREATE FUNCTION reviews.judge_queue() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;

CREATE FUNCTION reviews.judge_verification() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;

CREATE FUNCTION reviews.refuse_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM reviews.expect(false, format('%s of %I.%I is not done', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME));
  RETURN NULL;
END
$$;

CREATE TRIGGER judge_new BEFORE INSERT ON reviews.reviews FOR EACH ROW EXECUTE FUNCTION reviews.judge_new_review();
CREATE TRIGGER judge_move BEFORE UPDATE ON reviews.reviews FOR EACH ROW EXECUTE FUNCTION reviews.judge_move();
CREATE TRIGGER refuse_delete BEFORE DELETE ON reviews.reviews FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();
CREATE TRIGGER judge BEFORE INSERT OR UPDATE ON reviews.queues FOR EACH ROW EXECUTE FUNCTION reviews.judge_queue();
CREATE TRIGGER refuse_delete BEFORE DELETE ON reviews.queues FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();
CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE ON reviews.queue_moves
  FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();
CREATE TRIGGER judge BEFORE INSERT OR UPDATE ON reviews.verifications
  FOR EACH ROW EXECUTE FUNCTION reviews.judge_verification();
CREATE TRIGGER refuse_delete BEFORE DELETE ON reviews.verifications
  FOR EACH ROW EXECUTE FUNCTION reviews.refuse_change();

-- As before (0008), the entry of the log first: it is what the queue's counters then move by.
CREATE OR REPLACE FUNCTION reviews.log_move(subject reviews.reviews, move text) RETURNS bigint
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  queue reviews.queues;
BEGIN
  INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, repository, move, ticket)
  SELECT q.tenant_id, q.target_branch, q.version + 1, subject.review_id, subject.repository, move,
         CASE WHEN move IN ('ready', 'requeue') THEN q.last_ticket + 1 ELSE subject.ticket END
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

-- As before (0008). What the build is, is read from the report that is stored, whatever the caller says of it.
CREATE OR REPLACE FUNCTION reviews.apply_build(tenant uuid, review uuid, build uuid, build_kind text,
                                               build_successful boolean) RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;

-- Records why a merge is believed, before the review is MERGED. Without a build it is a reconciliation.
DROP FUNCTION reviews.record_verification(reviews.reviews, jsonb, text);
CREATE FUNCTION reviews.record_verification(subject reviews.reviews, build uuid, repo text, proof jsonb,
                                            release_error text) RETURNS void
LANGUAGE sql VOLATILE
AS $$
  INSERT INTO reviews.verifications (tenant_id, review_id, route, remote_url, repository, target_branch, target_tip,
    commit_id, parent_commit_id, tree_id, anchor_commit_id, source_tip, build_id, conditions, content_verdict,
    content_reason, release_error)
  VALUES (subject.tenant_id, subject.review_id, CASE WHEN build IS NULL THEN 'reconciled' ELSE 'queue' END,
    proof ->> 'remoteUrl', repo, subject.target_branch, proof ->> 'targetTip', proof ->> 'commitId',
    proof ->> 'parentCommitId', proof ->> 'treeId', proof ->> 'anchorCommitId', proof ->> 'sourceTip', build,
    ARRAY(SELECT jsonb_array_elements_text(coalesce(proof -> 'conditions', '[]'))),
    coalesce(proof ->> 'contentVerdict', 'UNKNOWN'),
    CASE WHEN proof ? 'contentVerdict' THEN proof ->> 'contentReason' ELSE 'not_computed' END,
    release_error)
$$;

-- As before (0009), the record first.
CREATE OR REPLACE FUNCTION reviews.accept_queue_merge(tenant uuid, review uuid, build uuid, release uuid,
                                                      expected_repo text, repo text, proof jsonb)
RETURNS TABLE (merged reviews.reviews, release_error text)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  subject  reviews.reviews := (SELECT r FROM reviews.lock_review(tenant, review) r);
  sequence bigint;
BEGIN
  IF subject.status IS DISTINCT FROM 'MERGE' OR subject.repository IS DISTINCT FROM expected_repo
     OR reviews.anchor(tenant, subject.target_branch, repo) IS DISTINCT FROM proof ->> 'anchorCommitId' THEN
    RETURN;
  END IF;
  sequence := reviews.log_move(subject, 'merge');
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

-- As before (0009), the record first.
CREATE OR REPLACE FUNCTION reviews.accept_history_merge(tenant uuid, review uuid, expected_status text,
                                                        expected_repo text, repo text, proof jsonb)
RETURNS SETOF reviews.reviews
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
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
$$;

-- The moves of PATCH status, by their ids. The first of them takes the lock under which the service then decides.
CREATE FUNCTION reviews.begin_move(tenant uuid, review uuid) RETURNS SETOF reviews.reviews
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT * FROM reviews.lock_review(tenant, review) $$;

-- Refuses a build of another review, or with the other outcome. Decision B8: its kind does not matter.
CREATE FUNCTION reviews.expect_build(tenant uuid, review uuid, build uuid, outcome boolean) RETURNS void
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM builds.build_facts(tenant, build) f WHERE f.review_id = review AND f.successful = outcome) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such build.');
  END IF;
END
$$;

CREATE FUNCTION reviews.ready_by_build(tenant uuid, review uuid, build uuid) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM reviews.expect_build(tenant, review, build, true);
  RETURN QUERY SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.make_ready(r, build) m;
END
$$;

CREATE FUNCTION reviews.fail_by_build(tenant uuid, review uuid, build uuid) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  PERFORM reviews.expect_build(tenant, review, build, false);
  RETURN QUERY SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.fail(r, build) m;
END
$$;

CREATE FUNCTION reviews.requeue(tenant uuid, review uuid) RETURNS SETOF reviews.reviews
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.make_ready(r, NULL) m $$;

CREATE FUNCTION reviews.close_review(tenant uuid, review uuid) RETURNS SETOF reviews.reviews
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.close(r) m $$;

-- As before (0008); the author is the transaction's caller.
CREATE OR REPLACE FUNCTION reviews.create_review(tenant uuid, review uuid, author uuid, review_name text, repo text,
                                                 source text, target text) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
    INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, repository, source_branch, target_branch)
    VALUES (tenant, review, tenancy.user_id(), review_name, repo, source, target) RETURNING *;
END
$$;

-- One comment of a review, kept from changing until the transaction ends.
CREATE FUNCTION reviews.lock_comment(tenant uuid, review uuid, comment uuid) RETURNS SETOF reviews.comments
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT * FROM reviews.comments c
   WHERE c.tenant_id = tenant AND c.review_id = review AND c.comment_id = comment FOR NO KEY UPDATE
$$;

-- A comment of the transaction's caller. A root opens a thread; the unique index refuses a second at the same address.
CREATE FUNCTION reviews.create_comment(tenant uuid, comment uuid, review uuid, parent uuid, commit text, path text,
                                       place int, content text) RETURNS SETOF reviews.comments
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
    INSERT INTO reviews.comments (tenant_id, comment_id, review_id, creator_user_id, parent_comment_id, status,
                                  commit_id, file_path, line, body)
    VALUES (tenant, comment, review, tenancy.user_id(), parent, CASE WHEN parent IS NULL THEN 'OPEN' END, commit, path,
            place, content) RETURNING *;
END
$$;

-- Closes or reopens a thread; no row unless the transaction's caller opened it. Spec: API, Comment thread.
CREATE FUNCTION reviews.set_thread_status(tenant uuid, comment uuid, wanted text) RETURNS SETOF reviews.comments
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE reviews.comments c SET status = wanted, updated_at = clock_timestamp()
   WHERE c.tenant_id = tenant AND c.comment_id = comment AND c.creator_user_id = tenancy.user_id() RETURNING c.*
$$;

-- The foreign keys refuse a review or a user that is not the tenant's, the primary key a second assignment.
CREATE FUNCTION reviews.add_reviewer(tenant uuid, review uuid, usr uuid) RETURNS SETOF reviews.reviewers
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
    INSERT INTO reviews.reviewers (tenant_id, review_id, user_id) VALUES (tenant, review, usr) RETURNING *;
END
$$;

-- Whether there was an assignment to take back.
CREATE FUNCTION reviews.remove_reviewer(tenant uuid, review uuid, usr uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM reviews.reviewers w WHERE w.tenant_id = tenant AND w.review_id = review AND w.user_id = usr;
  RETURN FOUND;
END
$$;

REVOKE ALL ON FUNCTION reviews.expect(boolean, text), reviews.judge_new_review(), reviews.judge_move(),
  reviews.judge_ground(reviews.reviews, reviews.reviews), reviews.judge_queue(), reviews.judge_verification(),
  reviews.refuse_change(), reviews.record_verification(reviews.reviews, uuid, text, jsonb, text),
  reviews.begin_move(uuid, uuid), reviews.expect_build(uuid, uuid, uuid, boolean),
  reviews.ready_by_build(uuid, uuid, uuid), reviews.fail_by_build(uuid, uuid, uuid), reviews.requeue(uuid, uuid),
  reviews.close_review(uuid, uuid), reviews.lock_comment(uuid, uuid, uuid),
  reviews.create_comment(uuid, uuid, uuid, uuid, text, text, int, text), reviews.set_thread_status(uuid, uuid, text),
  reviews.add_reviewer(uuid, uuid, uuid), reviews.remove_reviewer(uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.begin_move(uuid, uuid), reviews.ready_by_build(uuid, uuid, uuid),
  reviews.fail_by_build(uuid, uuid, uuid), reviews.requeue(uuid, uuid), reviews.close_review(uuid, uuid),
  reviews.lock_comment(uuid, uuid, uuid), reviews.create_comment(uuid, uuid, uuid, uuid, text, text, int, text),
  reviews.set_thread_status(uuid, uuid, text), reviews.add_reviewer(uuid, uuid, uuid),
  reviews.remove_reviewer(uuid, uuid, uuid) TO plat_reviews;
RESET ROLE;
