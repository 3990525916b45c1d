CREATE OR REPLACE FUNCTION reviews.next_logged_repository(tenant uuid, target text, after text) RETURNS text
LANGUAGE sql STABLE
AS $$
  SELECT m.repository FROM reviews.queue_moves m
   WHERE m.tenant_id = tenant AND m.target_branch = target AND m.repository > after
   ORDER BY m.repository LIMIT 1
$$;
COMMENT ON FUNCTION reviews.next_logged_repository IS
  'Returns the next repository by name of which the log of a target branch has moves; NULL after the last one.';
REVOKE ALL ON FUNCTION reviews.next_logged_repository FROM PUBLIC;
