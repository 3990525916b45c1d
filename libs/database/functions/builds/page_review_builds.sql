CREATE OR REPLACE FUNCTION builds.page_review_builds(tenant uuid, review uuid, after_time timestamptz, after_id uuid, page int)
RETURNS SETOF builds.builds
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM builds.builds e',
    ' AND e.review_id = $2'
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.build_id) < ($3, $4)' ELSE '' END,
    'e.created_at DESC, e.build_id DESC', '$5')
    USING tenant, review, after_time, after_id, page;
  IF NOT FOUND AND after_id IS NULL AND NOT reviews.review_exists(tenant, review) THEN
    PERFORM tenancy.refuse('NOT_FOUND', NULL, 'No such review.');
  END IF;
END
$$;
COMMENT ON FUNCTION builds.page_review_builds IS
  'Returns one page of a review''s builds, newest first, after the given place. Refuses with NOT_FOUND if no such '
  'review is visible. The builds service calls it for GET /v1/reviews/{review_id}/builds.';
REVOKE ALL ON FUNCTION builds.page_review_builds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION builds.page_review_builds TO plat_builds;
