CREATE OR REPLACE FUNCTION reviews.get_review(tenant uuid, review uuid) RETURNS SETOF reviews.reviews
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT * FROM reviews.reviews r
   WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review;
END
$$;
COMMENT ON FUNCTION reviews.get_review IS
  'Returns one visible review, or no row. The reviews service calls it for GET /v1/reviews/{review_id}.';
REVOKE ALL ON FUNCTION reviews.get_review FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.get_review TO plat_reviews;
