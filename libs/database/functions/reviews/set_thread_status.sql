CREATE OR REPLACE FUNCTION reviews.set_thread_status(tenant uuid, comment uuid, wanted text) RETURNS SETOF reviews.comments
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE reviews.comments c SET status = wanted, updated_at = clock_timestamp()
   WHERE c.tenant_id = tenant AND c.comment_id = comment AND c.creator_user_id = tenancy.user_id() RETURNING c.*
$$;
COMMENT ON FUNCTION reviews.set_thread_status IS
  'Closes or reopens a thread and returns its root; no row unless the transaction''s user opened it. The reviews '
  'service calls it for PATCH /v1/reviews/{review_id}/comments/{comment_id}/status.';
REVOKE ALL ON FUNCTION reviews.set_thread_status FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.set_thread_status TO plat_reviews;
