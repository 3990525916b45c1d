CREATE OR REPLACE FUNCTION reviews.remove_reviewer(tenant uuid, review uuid, usr uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  DELETE FROM reviews.reviewers w WHERE w.tenant_id = tenant AND w.review_id = review AND w.user_id = usr;
  RETURN FOUND;
END
$$;
COMMENT ON FUNCTION reviews.remove_reviewer IS
  'Takes an assignment back; returns false if there was none. The reviews service calls it for DELETE '
  '/v1/reviews/{review_id}/reviewers/{user_id}.';
REVOKE ALL ON FUNCTION reviews.remove_reviewer FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.remove_reviewer TO plat_reviews;
