CREATE OR REPLACE FUNCTION reviews.occupant(tenant uuid, target text, repo text, unnamed boolean) RETURNS reviews.reviews
LANGUAGE sql STABLE
AS $$
  SELECT r FROM reviews.reviews r
   WHERE r.tenant_id = tenant AND r.target_branch = target AND r.status = 'MERGE'
     AND (r.repository = repo OR unnamed AND (r.repository IS NULL OR repo IS NULL))
   ORDER BY r.updated_at LIMIT 1
$$;
COMMENT ON FUNCTION reviews.occupant IS
  'Returns the review at MERGE that holds the slot of a repository; an empty row if the slot is free. If unnamed, a '
  'review that records no repository holds it too, and with no repository at all any review at MERGE does.';
REVOKE ALL ON FUNCTION reviews.occupant FROM PUBLIC;
