CREATE OR REPLACE FUNCTION releases.page_releases(tenant uuid, target text, review uuid, wanted text, after_time timestamptz,
  after_id uuid, page int) RETURNS SETOF releases.releases
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY EXECUTE tenancy.page_statement(
    'SELECT e.* FROM releases.releases e',
    CASE WHEN target IS NOT NULL THEN ' AND e.target_branch = $2' ELSE '' END
    || CASE WHEN review IS NOT NULL THEN ' AND e.review_id = $3' ELSE '' END
    || CASE WHEN wanted IS NOT NULL THEN ' AND e.status = $4' ELSE '' END
    || CASE WHEN after_id IS NOT NULL THEN ' AND (e.created_at, e.release_id) < ($5, $6)' ELSE '' END,
    'e.created_at DESC, e.release_id DESC', '$7')
    USING tenant, target, review, wanted, after_time, after_id, page;
END
$$;
COMMENT ON FUNCTION releases.page_releases IS
  'Returns one page of the visible releases, newest first, after the given place; a NULL filter selects all. The '
  'releases service calls it for GET /v1/releases.';
REVOKE ALL ON FUNCTION releases.page_releases FROM PUBLIC;
GRANT EXECUTE ON FUNCTION releases.page_releases TO plat_releases;
