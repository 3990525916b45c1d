CREATE OR REPLACE FUNCTION reviews.create_review(tenant uuid, review uuid, author uuid, review_name text, repo text,
                                                 source text, target text) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
    INSERT INTO reviews.reviews (tenant_id, review_id, author_user_id, name, repository, source_branch, target_branch)
    VALUES (tenant, review, tenancy.user_id(), review_name, repo, source, target) RETURNING *;
END
$$;
COMMENT ON FUNCTION reviews.create_review IS
  'Adds an OPEN review and returns it. Its author is the transaction''s user; a given author is ignored. A taken name '
  'violates reviews_live_name, a taken pair of branches reviews_live_pair. The reviews service calls it for POST '
  '/v1/reviews.';
REVOKE ALL ON FUNCTION reviews.create_review FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.create_review TO plat_reviews;
