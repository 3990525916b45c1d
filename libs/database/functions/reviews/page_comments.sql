CREATE OR REPLACE FUNCTION reviews.page_comments(tenant uuid, review uuid, after_commit text, after_path text, after_line int,
  after_time timestamptz, after_id uuid, page int) RETURNS SETOF reviews.comments
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT * FROM reviews.comments c
   WHERE c.tenant_id = ANY (identity.readable_tenants(tenant)) AND c.review_id = review
     AND (after_id IS NULL OR (c.commit_id, c.file_path, c.line, c.created_at, c.comment_id)
                            > (after_commit, after_path, after_line, after_time, after_id))
   ORDER BY c.commit_id, c.file_path, c.line, c.created_at, c.comment_id LIMIT page;
  IF NOT FOUND AND after_id IS NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$$;
COMMENT ON FUNCTION reviews.page_comments IS
  'Returns one page of a visible review''s comments by commit, file, line and time, after the given place. Refuses '
  'with NOT_FOUND if no such review is visible. The reviews service calls it for GET '
  '/v1/reviews/{review_id}/comments.';
REVOKE ALL ON FUNCTION reviews.page_comments FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.page_comments TO plat_reviews;
