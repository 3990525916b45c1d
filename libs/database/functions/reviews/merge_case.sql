CREATE OR REPLACE FUNCTION reviews.merge_case(tenant uuid, review uuid, build uuid, repo text)
RETURNS TABLE (subject reviews.reviews, build_review_id uuid, build_kind text, build_successful boolean,
               build_commit_id text, anchor_commit_id text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
    SELECT r, b.review_id, b.kind, b.successful, b.commit_id, reviews.anchor(tenant, r.target_branch, repo)
      FROM reviews.reviews r LEFT JOIN LATERAL builds.build_facts(tenant, build) b ON true
     WHERE r.tenant_id = tenant AND r.review_id = review;
END
$$;
COMMENT ON FUNCTION reviews.merge_case IS
  'Returns, as of one moment, the facts other than git''s on which a MERGED report is judged: the review, the build '
  'that is named, and the anchor of the repository that is named. No row if the tenant has no such review. The '
  'reviews service reads it before it asks the verifier.';
REVOKE ALL ON FUNCTION reviews.merge_case FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.merge_case TO plat_reviews;
