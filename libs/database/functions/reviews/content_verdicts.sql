CREATE OR REPLACE FUNCTION reviews.content_verdicts(tenant uuid, wanted uuid[])
RETURNS TABLE(review_id uuid, content_verdict text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT v.review_id, coalesce(l.content_verdict, v.content_verdict)
    FROM reviews.verifications v
    LEFT JOIN reviews.later_contents l ON l.tenant_id = v.tenant_id AND l.review_id = v.review_id
   WHERE v.tenant_id = ANY (identity.readable_tenants(tenant)) AND v.review_id = ANY (wanted)
$$;
COMMENT ON FUNCTION reviews.content_verdicts IS
  'Returns the verdict on the content of each landing of visible reviews, as their receipts have it. The reviews '
  'service calls it for GET /v1/reviews and GET /v1/reviews/{review_id}.';
REVOKE ALL ON FUNCTION reviews.content_verdicts FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.content_verdicts TO plat_reviews;
