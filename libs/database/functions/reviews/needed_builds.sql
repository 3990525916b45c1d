CREATE OR REPLACE FUNCTION reviews.needed_builds(tenant uuid, of_reviews uuid[], builds uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT c.build FROM unnest(of_reviews, builds) AS c (review, build)
   WHERE EXISTS (SELECT FROM reviews.reviews r WHERE r.tenant_id = tenant AND r.review_id = c.review
                    AND (r.status NOT IN ('MERGED', 'CLOSED')
                         OR c.build IN (r.last_failed_build_id, r.last_ready_build_id, r.last_merged_build_id)))
      OR EXISTS (SELECT FROM reviews.queue_moves m
                  WHERE m.tenant_id = tenant AND m.review_id = c.review AND m.build_id = c.build)
$$;
COMMENT ON FUNCTION reviews.needed_builds IS
  'Returns those of the builds, each given with its review, that must be kept: their review has not ended, or it or '
  'a move of it names them. builds.prune asks it.';
REVOKE ALL ON FUNCTION reviews.needed_builds FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.needed_builds TO plat_builds_owner;
