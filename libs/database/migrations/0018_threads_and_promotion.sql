-- A promotion and the opening of a thread follow each other: once a thread is acknowledged, no advance that has not
-- promoted by then passes over it. Whoever opens or reopens a thread holds the review's row (FOR SHARE), and an advance
-- locks the head's row before it counts the threads. Lock order as ever: queue, review, then what hangs on it.
-- Replaces a function; nothing is held for long.

SET ROLE plat_reviews_owner;

-- As before (0008), with the head locked before its threads are counted.
CREATE OR REPLACE FUNCTION reviews.advance(tenant uuid, target text, repo text, override boolean)
RETURNS SETOF reviews.reviews
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
  RETURN NEXT reviews.promote(state.head);
END
$$;

-- Holds a review as it is until the transaction ends: a promotion waits, other threads do not. False when the tenant
-- has no such review.
CREATE FUNCTION reviews.hold_review(tenant uuid, review uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  PERFORM FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = review FOR SHARE;
  RETURN FOUND;
END
$$;
REVOKE ALL ON FUNCTION reviews.hold_review(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.hold_review(uuid, uuid) TO plat_reviews;
RESET ROLE;
