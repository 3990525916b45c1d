CREATE OR REPLACE FUNCTION reviews.page_reviewers(tenant uuid, review uuid, after_time timestamptz, after_id uuid, page int)
RETURNS SETOF reviews.reviewers
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT * FROM reviews.reviewers w
   WHERE w.tenant_id = ANY (identity.readable_tenants(tenant)) AND w.review_id = review
     AND (after_id IS NULL OR (w.created_at, w.user_id) > (after_time, after_id))
   ORDER BY w.created_at, w.user_id LIMIT page;
  IF NOT FOUND AND after_id IS NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$$;
COMMENT ON FUNCTION reviews.page_reviewers IS
  'Returns one page of a visible review''s reviewers, oldest assignment first, after the given place. Refuses with '
  'NOT_FOUND if no such review is visible. The reviews service calls it for GET /v1/reviews/{review_id}/reviewers.';
REVOKE ALL ON FUNCTION reviews.page_reviewers FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.page_reviewers TO plat_reviews;
