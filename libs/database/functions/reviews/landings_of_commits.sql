CREATE OR REPLACE FUNCTION reviews.landings_of_commits(tenant uuid, repo text, commits text[])
RETURNS TABLE(commit_id text, review_id uuid, name text, source_branch text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT r.merged_commit_id, r.review_id, r.name, r.source_branch FROM reviews.reviews r
   WHERE r.tenant_id = tenant AND r.merged_commit_id = ANY (commits) AND r.repository = repo
$$;
COMMENT ON FUNCTION reviews.landings_of_commits IS
  'Returns which of a tenant''s reviews merged with the given commits of a repository. The reviews service calls it '
  'to learn what a later review says that it reverts.';
REVOKE ALL ON FUNCTION reviews.landings_of_commits FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.landings_of_commits TO plat_reviews;
