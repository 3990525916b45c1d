CREATE OR REPLACE FUNCTION reviews.page_reviews(tenant uuid, repo text, target text, source text, wanted text, author uuid,
  reviewer uuid, merged_commit text, after_time timestamptz, after_id uuid, page int) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM reviews.reviews e',
    CASE WHEN repo IS NOT NULL THEN ' AND e.repository = $2' ELSE '' END
    || CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $3' ELSE '' END
    || CASE WHEN source IS NOT NULL THEN ' AND e.source_branch = $4' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND e.status = $5' ELSE '' END
    || CASE WHEN author IS NOT NULL THEN ' AND e.author_user_id = $6' ELSE '' END
    || CASE WHEN reviewer IS NOT NULL THEN
         ' AND EXISTS (SELECT FROM reviews.reviewers w
                        WHERE w.tenant_id = e.tenant_id AND w.review_id = e.review_id AND w.user_id = $7)' ELSE '' END
    || CASE WHEN merged_commit IS NOT NULL THEN ' AND e.merged_commit_id = $8' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.review_id) < ($9, $10)' ELSE '' END,
    'e.created_at DESC, e.review_id DESC', '$11')
    USING tenant, repo, target, source, wanted, author, reviewer, merged_commit, after_time, after_id, page;
END
$$;
COMMENT ON FUNCTION reviews.page_reviews IS
  'Returns one page of the visible reviews, newest first, after the given place; a NULL filter selects all. The '
  'reviews service calls it for GET /v1/reviews.';
REVOKE ALL ON FUNCTION reviews.page_reviews FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.page_reviews TO plat_reviews;
