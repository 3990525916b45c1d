CREATE OR REPLACE FUNCTION reviews.get_merge_receipt(tenant uuid, review uuid)
RETURNS TABLE (tenant_id uuid, review_id uuid, status text, statement text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
    SELECT r.tenant_id, r.review_id, r.status,
           (SELECT s.statement FROM reviews.merge_statements(r.tenant_id) s WHERE s.review_id = r.review_id
             ORDER BY s.part DESC LIMIT 1)
      FROM reviews.reviews r
     WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review;
END
$$;
COMMENT ON FUNCTION reviews.get_merge_receipt IS
  'Returns a visible review''s status and its newest merge statement, as canonical JSON; before MERGED it is NULL. The '
  'reviews service calls it for GET /v1/reviews/{review_id}/merge-receipt and for a later verdict.';
REVOKE ALL ON FUNCTION reviews.get_merge_receipt FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.get_merge_receipt TO plat_reviews;
