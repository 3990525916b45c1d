CREATE OR REPLACE FUNCTION reviews.begin_move(tenant uuid, review uuid) RETURNS SETOF reviews.reviews
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT * FROM reviews.lock_review(tenant, review) $$;
COMMENT ON FUNCTION reviews.begin_move IS
  'Takes the locks of reviews.lock_review and returns the review; no row if the tenant has none of that id. The '
  'reviews service calls it first for PATCH /v1/reviews/{review_id}/status, and decides under the lock.';
REVOKE ALL ON FUNCTION reviews.begin_move FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.begin_move TO plat_reviews;
