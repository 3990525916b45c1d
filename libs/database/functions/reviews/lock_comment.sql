CREATE OR REPLACE FUNCTION reviews.lock_comment(tenant uuid, review uuid, comment uuid) RETURNS SETOF reviews.comments
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT * FROM reviews.comments c
   WHERE c.tenant_id = tenant AND c.review_id = review AND c.comment_id = comment FOR NO KEY UPDATE
$$;
COMMENT ON FUNCTION reviews.lock_comment IS
  'Returns one comment of a review and keeps it from changing until the transaction ends; no row if there is none. '
  'The reviews service calls it before it replies to a thread, closes or reopens one.';
REVOKE ALL ON FUNCTION reviews.lock_comment FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.lock_comment TO plat_reviews;
