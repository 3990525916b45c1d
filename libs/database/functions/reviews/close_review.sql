CREATE OR REPLACE FUNCTION reviews.close_review(tenant uuid, review uuid) RETURNS SETOF reviews.reviews
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.close(r) m $$;
COMMENT ON FUNCTION reviews.close_review IS
  'Moves a review to CLOSED, and returns it. The trigger refuses it for a review at MERGE, MERGED or CLOSED. The '
  'reviews service calls it for PATCH status CLOSED.';
REVOKE ALL ON FUNCTION reviews.close_review FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.close_review TO plat_reviews;
