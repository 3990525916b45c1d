CREATE OR REPLACE FUNCTION reviews.plain_cause(move text) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN CASE move WHEN 'ready' THEN 'BUILD_SUCCEEDED' WHEN 'promote' THEN 'PROMOTED' WHEN 'requeue' THEN 'REQUEUED'
                 WHEN 'fail' THEN 'BUILD_FAILED' WHEN 'close' THEN 'CLOSED' WHEN 'merge' THEN 'MERGED'
                 WHEN 'reconcile' THEN 'RECONCILED' END;
COMMENT ON FUNCTION reviews.plain_cause IS
  'Returns the cause of a move of that name, if nothing more is known of it: the gate''s failure is then that of a '
  'build, and an override a promotion. reviews.log_move asks it, and '
  'reviews.page_history for a row without a cause.';
REVOKE ALL ON FUNCTION reviews.plain_cause FROM PUBLIC;
