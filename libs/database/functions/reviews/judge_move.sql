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
  SELECT m.move, m.ticket, m.build_id, q.last_merge INTO logged
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
  PERFORM reviews.judge_ground(OLD, NEW);
  RETURN NEW;
END
$$;
COMMENT ON FUNCTION reviews.judge_move IS
  'Trigger of each update of reviews.reviews: raises integrity_constraint_violation unless the review keeps the facts '
  'of its creation, moves along its state machine, has the last entry of its queue''s log as its move, and satisfies '
  'reviews.judge_ground. A requeue is possible from MERGE alone.';
REVOKE ALL ON FUNCTION reviews.judge_move FROM PUBLIC;
