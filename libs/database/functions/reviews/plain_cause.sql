CREATE OR REPLACE FUNCTION reviews.plain_cause(move text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN CASE move WHEN 'ready' THEN 'BUILD_SUCCEEDED' WHEN 'promote' THEN 'PROMOTED' WHEN 'requeue' THEN 'REQUEUED'
                 WHEN 'fail' THEN 'BUILD_FAILED' WHEN 'close' THEN 'CLOSED' WHEN 'merge' THEN 'MERGED'
                 WHEN 'reconcile' THEN 'RECONCILED' END;
COMMENT ON FUNCTION reviews.plain_cause IS
  'Returns the cause of a move of that name, unless its caller names another: a failure is then that of a build, and '
  'a promotion no override. reviews.log_move calls it.';
REVOKE ALL ON FUNCTION reviews.plain_cause FROM PUBLIC;
