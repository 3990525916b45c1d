CREATE OR REPLACE FUNCTION reviews.anchor(tenant uuid, target text, repo text) RETURNS text
LANGUAGE sql STABLE
AS $$
  SELECT r.merged_commit_id FROM reviews.reviews r
   WHERE r.tenant_id = tenant AND r.target_branch = target AND r.repository = repo AND r.merge_sequence IS NOT NULL
   ORDER BY r.merge_sequence DESC LIMIT 1
$$;
COMMENT ON FUNCTION reviews.anchor IS
  'Returns the commit of the last merge through the queue of a target and repository, from which the next one must '
  'descend; NULL if there is none.';
REVOKE ALL ON FUNCTION reviews.anchor FROM PUBLIC;
