CREATE OR REPLACE FUNCTION reviews.review_exists(tenant uuid, review uuid) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT EXISTS (SELECT FROM reviews.reviews r
                  WHERE r.tenant_id = ANY (identity.readable_tenants(tenant)) AND r.review_id = review)
$$;
COMMENT ON FUNCTION reviews.review_exists IS
  'Returns whether a review of that id is visible. The listings of what a review has and releases.enqueue ask it '
  'before they refuse with NOT_FOUND.';
REVOKE ALL ON FUNCTION reviews.review_exists FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.review_exists TO plat_builds_owner, plat_releases_owner;
