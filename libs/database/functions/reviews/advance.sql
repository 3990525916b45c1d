CREATE OR REPLACE FUNCTION reviews.advance(tenant uuid, target text, repo text, override boolean, reason text DEFAULT NULL)
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
  'Promotes the head of a queue to MERGE and returns it. Refuses with MERGE_QUEUE_AMBIGUOUS, MERGE_QUEUE_OCCUPIED '
  'or EMPTY_QUEUE and, unless override, with unresolved_threads if a thread of the head is OPEN. The reviews '
  'service calls it for POST /v1/reviews/merge-queue/advance and override-advance, which gives the reason that the '
  'log keeps.';
REVOKE ALL ON FUNCTION reviews.advance FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.advance TO plat_reviews;
