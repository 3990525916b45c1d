-- The moves of a merge queue: becoming ready, promotion, requeue, leaving it, merging.
-- Guarantees: every move happens under its queue's lock, raises the queue's version and is logged with it.
-- Lock order everywhere: the queue's row, then the review's, then what hangs on it.

SET ROLE plat_reviews_owner;

-- Takes the lock of a target's queue until the transaction ends.
CREATE FUNCTION reviews.lock_queue(tenant uuid, target text) RETURNS void
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  PERFORM 1 FROM reviews.queues q WHERE q.tenant_id = tenant AND q.target_branch = target FOR UPDATE;
  IF NOT FOUND THEN
    INSERT INTO reviews.queues (tenant_id, target_branch) VALUES (tenant, target) ON CONFLICT DO NOTHING;
    PERFORM 1 FROM reviews.queues q WHERE q.tenant_id = tenant AND q.target_branch = target FOR UPDATE;
  END IF;
END
$$;

-- Takes the lock of the queue that a review belongs to and answers the review as it now stands.
CREATE FUNCTION reviews.lock_review(tenant uuid, review uuid) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  -- The target never changes, so it may be read before the lock.
  target text := (SELECT r.target_branch FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review);
BEGIN
  IF target IS NOT NULL THEN
    PERFORM reviews.lock_queue(tenant, target);
    RETURN QUERY SELECT * FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review FOR NO KEY UPDATE;
  END IF;
END
$$;

-- Raises the version of a locked queue and logs the move under it; a move to READY takes the next ticket.
CREATE FUNCTION reviews.log_move(subject reviews.reviews, move text) RETURNS bigint
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  queue reviews.queues;
BEGIN
  UPDATE reviews.queues q
     SET version = q.version + 1,
         last_ticket = q.last_ticket + CASE WHEN move IN ('ready', 'requeue') THEN 1 ELSE 0 END,
         last_merge = q.last_merge + CASE WHEN move = 'merge' THEN 1 ELSE 0 END
   WHERE q.tenant_id = subject.tenant_id AND q.target_branch = subject.target_branch
  RETURNING q.* INTO STRICT queue;
  INSERT INTO reviews.queue_moves (tenant_id, target_branch, version, review_id, repository, move, ticket)
  VALUES (subject.tenant_id, subject.target_branch, queue.version, subject.review_id, subject.repository, move,
          CASE WHEN move IN ('ready', 'requeue') THEN queue.last_ticket ELSE subject.ticket END);
  RETURN CASE WHEN move = 'merge' THEN queue.last_merge ELSE queue.last_ticket END;
END
$$;

-- To READY at the tail, by a build or, without one, by a requeue. The caller holds the lock.
CREATE FUNCTION reviews.make_ready(subject reviews.reviews, build uuid) RETURNS reviews.reviews
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  place bigint := reviews.log_move(subject, CASE WHEN build IS NULL THEN 'requeue' ELSE 'ready' END);
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

-- To FAILED by a build; a place in the line or the slot is given up. The caller holds the lock.
CREATE FUNCTION reviews.fail(subject reviews.reviews, build uuid) RETURNS reviews.reviews
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  changed reviews.reviews;
BEGIN
  PERFORM reviews.log_move(subject, 'fail');
  UPDATE reviews.reviews r
     SET status = 'FAILED', ticket = NULL, last_failed_build_id = build, updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$$;

-- To CLOSED. The caller holds the lock.
CREATE FUNCTION reviews.close(subject reviews.reviews) RETURNS reviews.reviews
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  changed reviews.reviews;
BEGIN
  PERFORM reviews.log_move(subject, 'close');
  UPDATE reviews.reviews r SET status = 'CLOSED', ticket = NULL, updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$$;

-- The review at the head of one repository's line (NULL: the rows that record none). One index probe.
CREATE FUNCTION reviews.head_of(tenant uuid, target text, repo text) RETURNS reviews.reviews
LANGUAGE plpgsql STABLE
AS $$
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
$$;

-- The next named repository with a waiting review, in order; NULL when there is none. One index probe.
CREATE FUNCTION reviews.next_waiting_repository(tenant uuid, target text, after text) RETURNS text
LANGUAGE sql STABLE
AS $$
  SELECT r.repository FROM reviews.reviews r
   WHERE r.tenant_id = tenant AND r.target_branch = target AND r.status = 'READY' AND r.repository > after
   ORDER BY r.repository LIMIT 1
$$;

-- Refuses an advance that names no repository while several wait. Spec: API, Merge queue, rule 4.
CREATE FUNCTION reviews.refuse_ambiguous(tenant uuid, target text) RETURNS void
LANGUAGE sql VOLATILE
AS $$
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
$$;

-- The review that holds the slot which a promotion would take. A named repository has its own slot; without a name
-- the waiting repository and the rows that record none share one, and where none waits any slot of the branch counts.
CREATE FUNCTION reviews.occupant(tenant uuid, target text, repo text, unnamed boolean) RETURNS reviews.reviews
LANGUAGE sql STABLE
AS $$
  SELECT r FROM reviews.reviews r
   WHERE r.tenant_id = tenant AND r.target_branch = target AND r.status = 'MERGE'
     AND (r.repository = repo OR unnamed AND (r.repository IS NULL OR repo IS NULL))
   ORDER BY r.updated_at LIMIT 1
$$;

CREATE TYPE reviews.head_state AS (
  head     reviews.reviews,
  occupant reviews.reviews
);

-- What a promotion finds: the head of the queue that is meant, and who holds its slot. The caller holds the lock.
CREATE FUNCTION reviews.look_at_head(tenant uuid, target text, repo text) RETURNS reviews.head_state
LANGUAGE plpgsql VOLATILE
AS $$
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
$$;

CREATE FUNCTION reviews.open_threads(subject reviews.reviews) RETURNS bigint
LANGUAGE sql STABLE
AS $$
  SELECT count(*) FROM reviews.comments c
   WHERE c.tenant_id = subject.tenant_id AND c.review_id = subject.review_id AND c.status = 'OPEN'
$$;

-- To MERGE. The caller holds the lock and has looked at the head.
CREATE FUNCTION reviews.promote(subject reviews.reviews) RETURNS reviews.reviews
LANGUAGE plpgsql VOLATILE
AS $$
DECLARE
  changed reviews.reviews;
BEGIN
  PERFORM reviews.log_move(subject, 'promote');
  UPDATE reviews.reviews r SET status = 'MERGE', ticket = NULL, updated_at = clock_timestamp()
   WHERE r.tenant_id = subject.tenant_id AND r.review_id = subject.review_id
  RETURNING r.* INTO STRICT changed;
  RETURN changed;
END
$$;

-- POST merge-queue/advance and override-advance. Spec: API, Merge queue, rules 2 to 6; decisions C1 and C2.
CREATE FUNCTION reviews.advance(tenant uuid, target text, repo text, override boolean) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql VOLATILE
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
  threads := reviews.open_threads(state.head);
  IF threads > 0 AND NOT override THEN
    PERFORM tenancy.refuse('unresolved_threads', jsonb_build_object(
      'reviewId', (state.head).review_id, 'unresolvedThreads', threads));
  END IF;
  RETURN NEXT reviews.promote(state.head);
END
$$;

-- Whether a review that has just become READY may go on to MERGE at once: head of its own queue, slot free, no
-- thread OPEN. Never an error: whatever stands in the way leaves it READY. Decision B5.
CREATE FUNCTION reviews.may_continue(subject reviews.reviews) RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
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
$$;

-- What a build does to its review, in the transaction that records the build. The review is locked already.
-- Decision B4: the table of lifecycle, held equal to it by a test of every pair.
CREATE FUNCTION reviews.apply_build(tenant uuid, review uuid, build uuid, build_kind text, build_successful boolean)
RETURNS void
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  subject reviews.reviews := (SELECT r FROM reviews.lock_review(tenant, review) r);
BEGIN
  IF build_successful AND build_kind = 'RECORDED' AND subject.status IN ('OPEN', 'FAILED') THEN
    subject := reviews.make_ready(subject, build);
    IF reviews.may_continue(subject) THEN
      PERFORM reviews.promote(subject);
    END IF;
  ELSIF NOT build_successful AND subject.status NOT IN ('MERGED', 'CLOSED') THEN
    PERFORM reviews.fail(subject, build);
  END IF;
END
$$;

-- Locks a review's queue for a build report and answers the review's name; NULL when the tenant has no such review.
CREATE FUNCTION reviews.begin_build_report(tenant uuid, review uuid) RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT r.name FROM reviews.lock_review(tenant, review) r $$;

-- Whether the caller may see a review of that id.
CREATE FUNCTION reviews.review_exists(tenant uuid, review uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (SELECT FROM reviews.reviews r
                  WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review)
$$;

-- One review that the caller may see.
CREATE FUNCTION reviews.get_review(tenant uuid, review uuid) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY SELECT * FROM reviews.reviews r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review;
END
$$;

-- The reviews that the caller may see, newest first; a NULL filter asks for nothing.
CREATE FUNCTION reviews.list_reviews(tenant uuid, repo text, target text, source text, wanted text, author uuid,
                                     reviewer uuid) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY SELECT * FROM reviews.reviews r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant))
     AND (repo IS NULL OR r.repository = repo)
     AND (target IS NULL OR r.target_branch = target)
     AND (source IS NULL OR r.source_branch = source)
     AND (wanted IS NULL OR r.status = wanted)
     AND (author IS NULL OR r.author_user_id = author)
     AND (reviewer IS NULL OR EXISTS (
           SELECT FROM reviews.reviewers w
            WHERE w.tenant_id = r.tenant_id AND w.review_id = r.review_id AND w.user_id = reviewer))
   ORDER BY r.created_at DESC, r.review_id DESC;
END
$$;

-- The reviews that wait, each queue in its order.
CREATE FUNCTION reviews.list_merge_queue(tenant uuid, repo text, target text) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY SELECT * FROM reviews.reviews r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.status = 'READY'
     AND (repo IS NULL OR r.repository = repo)
     AND (target IS NULL OR r.target_branch = target)
   ORDER BY r.target_branch, r.ticket, r.tenant_id;
END
$$;

-- A new review. Spec: API, Reviews, POST rules; a name or pair that is taken fails its unique index.
CREATE FUNCTION reviews.create_review(tenant uuid, review uuid, author uuid, review_name text, repo text, source text,
                                      target text) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  RETURN QUERY
    INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, repository, source_branch, target_branch)
    VALUES (tenant, review, author, review_name, repo, source, target) RETURNING *;
END
$$;

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA reviews FROM PUBLIC;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA reviews TO plat_reviews;
GRANT EXECUTE ON FUNCTION reviews.apply_build(uuid, uuid, uuid, text, boolean),
                          reviews.begin_build_report(uuid, uuid), reviews.review_exists(uuid, uuid) TO plat_builds;
GRANT EXECUTE ON FUNCTION reviews.review_exists(uuid, uuid) TO plat_releases, plat_releases_owner;
GRANT EXECUTE ON FUNCTION reviews.get_review(uuid, uuid), reviews.list_merge_queue(uuid, text, text),
  reviews.list_reviews(uuid, text, text, text, text, uuid, uuid) TO plat_operations;
RESET ROLE;
