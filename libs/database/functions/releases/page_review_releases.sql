CREATE OR REPLACE FUNCTION releases.page_review_releases(tenant uuid, review uuid, after_time timestamptz, after_id uuid, page int)
RETURNS SETOF releases.releases
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM releases.releases e',
    ' AND e.review_id = $2'
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.release_id) < ($3, $4)' ELSE '' END,
    'e.created_at DESC, e.release_id DESC', '$5')
    USING tenant, review, after_time, after_id, page;
  IF NOT FOUND AND after_id IS NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$$;
COMMENT ON FUNCTION releases.page_review_releases IS
  'Returns one page of a review''s releases, newest first, after the given place. Refuses with NOT_FOUND if no such '
  'review is visible. The releases service calls it for GET /v1/reviews/{review_id}/releases.';
REVOKE ALL ON FUNCTION releases.page_review_releases FROM PUBLIC;
GRANT EXECUTE ON FUNCTION releases.page_review_releases TO plat_releases;
