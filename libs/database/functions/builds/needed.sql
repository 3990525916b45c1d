CREATE OR REPLACE FUNCTION builds.needed(tenant uuid, of_builds uuid[]) RETURNS uuid[]
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  with_review uuid[];
  of_reviews  uuid[];
BEGIN
  SELECT array_agg(b.build_id), array_agg(b.review_id) INTO with_review, of_reviews
    FROM builds.builds b WHERE b.tenant_id = tenant AND b.build_id = ANY (of_builds) AND b.review_id IS NOT NULL;
  RETURN ARRAY(SELECT reviews.needed_builds(tenant, of_reviews, with_review)
               UNION SELECT releases.needed_builds(tenant, of_builds));
END
$$;
COMMENT ON FUNCTION builds.needed IS
  'Returns those of the builds of a tenant that must be kept: see reviews.needed_builds and releases.needed_builds. '
  'builds.prune asks it.';
REVOKE ALL ON FUNCTION builds.needed FROM PUBLIC;
