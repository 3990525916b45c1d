CREATE OR REPLACE FUNCTION reviews.next_waiting_repository(tenant uuid, target text, after text) RETURNS text
LANGUAGE sql STABLE
AS $$
  SELECT r.repository FROM reviews.reviews r
   WHERE r.tenant_id = tenant AND r.target_branch = target AND r.status = 'READY' AND r.repository > after
   ORDER BY r.repository LIMIT 1
$$;
COMMENT ON FUNCTION reviews.next_waiting_repository IS
  'Returns the first repository, in order after the given one, for which a review waits; NULL if there is none. The '
  'empty text is before all of them.';
REVOKE ALL ON FUNCTION reviews.next_waiting_repository FROM PUBLIC;
