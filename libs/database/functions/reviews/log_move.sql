CREATE OR REPLACE FUNCTION reviews.log_move(subject reviews.reviews, move text, build uuid DEFAULT NULL, cause text DEFAULT NULL,
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
COMMENT ON FUNCTION reviews.log_move IS
  'Logs a move of a review by the transaction''s user under the next version of its queue, and raises the queue''s '
  'counters by it. Without a cause it is that of reviews.plain_cause. Returns the number of the merge for a merge, '
  'else the last ticket, which a move to READY has just taken. Each move calls it before it changes the review; the '
  'caller holds the queue''s lock.';
REVOKE ALL ON FUNCTION reviews.log_move FROM PUBLIC;
