CREATE OR REPLACE FUNCTION reviews.version_at(tenant uuid, target text, at timestamp with time zone) RETURNS bigint
LANGUAGE plpgsql STABLE
AS $$
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
$$;
COMMENT ON FUNCTION reviews.version_at IS
  'Returns the version that a queue had at a time; 0 before its first move. reviews.queue_statistics calls it.';
REVOKE ALL ON FUNCTION reviews.version_at FROM PUBLIC;
