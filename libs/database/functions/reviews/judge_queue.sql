CREATE OR REPLACE FUNCTION reviews.judge_queue() RETURNS trigger
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
COMMENT ON FUNCTION reviews.judge_queue IS
  'Trigger of an insert into or an update of reviews.queues: raises integrity_constraint_violation unless a new '
  'queue stands at zero, and each change raises the counters by exactly one entry of the log.';
REVOKE ALL ON FUNCTION reviews.judge_queue FROM PUBLIC;
