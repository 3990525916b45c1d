CREATE OR REPLACE FUNCTION reviews.create_comment(tenant uuid, comment uuid, review uuid, parent uuid, commit text, path text,
                                       place int, content text) RETURNS SETOF reviews.comments
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY
    INSERT INTO reviews.comments (tenant_id, comment_id, review_id, creator_user_id, parent_comment_id, status,
                                  commit_id, file_path, line, body)
    VALUES (tenant, comment, review, tenancy.user_id(), parent, CASE WHEN parent IS NULL THEN 'OPEN' END, commit, path,
            place, content) RETURNING *;
END
$$;
COMMENT ON FUNCTION reviews.create_comment IS
  'Adds a comment of the transaction''s user and returns it; without a parent it opens a thread. A second thread at '
  'an address violates comments_one_root, a parent in another review its foreign key. The reviews service calls it '
  'for POST /v1/reviews/{review_id}/comments.';
REVOKE ALL ON FUNCTION reviews.create_comment FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.create_comment TO plat_reviews;
