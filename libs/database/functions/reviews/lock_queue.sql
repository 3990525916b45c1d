CREATE OR REPLACE FUNCTION reviews.lock_queue(tenant uuid, target text) RETURNS void
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
COMMENT ON FUNCTION reviews.lock_queue IS
  'Takes the lock of a target branch''s queue until the transaction ends, and makes the queue if it has none. The '
  'lock order is queue, review, then the rows that belong to the review.';
REVOKE ALL ON FUNCTION reviews.lock_queue FROM PUBLIC;
