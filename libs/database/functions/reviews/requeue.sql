CREATE OR REPLACE FUNCTION reviews.requeue(tenant uuid, review uuid) RETURNS SETOF reviews.reviews
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT m.* FROM reviews.lock_review(tenant, review) r, reviews.make_ready(r, NULL) m $$;
COMMENT ON FUNCTION reviews.requeue IS
  'Moves a review back to READY at the tail, and returns it. The reviews service calls it for PATCH status READY '
  'without a build, for a review that it has seen at MERGE.';
REVOKE ALL ON FUNCTION reviews.requeue FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.requeue TO plat_reviews;
