CREATE OR REPLACE FUNCTION reviews.add_reviewer(tenant uuid, review uuid, usr uuid) RETURNS SETOF reviews.reviewers
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
    INSERT INTO reviews.reviewers (tenant_id, review_id, user_id) VALUES (tenant, review, usr) RETURNING *;
END
$$;
COMMENT ON FUNCTION reviews.add_reviewer IS
  'Assigns a user to a review and returns the assignment. Foreign keys refuse a review or user of another tenant, '
  'the primary key a second assignment. The reviews service calls it for POST /v1/reviews/{review_id}/reviewers.';
REVOKE ALL ON FUNCTION reviews.add_reviewer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.add_reviewer TO plat_reviews;
