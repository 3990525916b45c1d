CREATE OR REPLACE FUNCTION reviews.begin_build_report(tenant uuid, review uuid) RETURNS text
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$ SELECT r.name FROM reviews.lock_review(tenant, review) r $$;
COMMENT ON FUNCTION reviews.begin_build_report IS
  'Takes the locks of reviews.lock_review and returns the name of the review, or NULL if the tenant has none of '
  'that id. builds.report_review_build calls it before it stores the report.';
REVOKE ALL ON FUNCTION reviews.begin_build_report FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.begin_build_report TO plat_builds_owner;
