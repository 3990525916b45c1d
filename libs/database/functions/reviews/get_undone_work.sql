CREATE OR REPLACE FUNCTION reviews.get_undone_work(tenant uuid, review uuid)
RETURNS TABLE(examined_at timestamptz, unknown_reason text, findings_left_out integer, window_landings integer,
  window_oldest_commit_id text, window_is_complete boolean, findings jsonb, undone_by jsonb)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT u.examined_at, u.unknown_reason, coalesce(u.findings_left_out, 0), u.window_landings,
         u.window_oldest_commit_id, u.window_is_complete,
         (SELECT coalesce(jsonb_agg(reviews.undone_finding(f, f.commit_id) || e.named ORDER BY f.place), '[]')
            FROM reviews.undone_findings f
            LEFT JOIN LATERAL (
              SELECT jsonb_build_object('reviewId', r.review_id, 'reviewName', r.name) AS named
                FROM reviews.reviews r
               WHERE r.tenant_id = f.tenant_id AND r.merged_commit_id = f.commit_id AND r.repository = v.repository
               ORDER BY r.review_id LIMIT 1) AS r ON true
           CROSS JOIN LATERAL (SELECT coalesce(r.named, '{}') AS named) AS e
           WHERE f.tenant_id = v.tenant_id AND f.review_id = v.review_id),
         (SELECT coalesce(jsonb_agg(reviews.undone_finding(b.f, b.commit_id)
                   || jsonb_build_object('reviewId', b.review_id, 'reviewName', b.name)), '[]')
            FROM (
              SELECT f, r.review_id, r.name, coalesce(k.landed_commit_id, w.landed_commit_id, w.commit_id, k.commit_id) AS commit_id
                FROM reviews.undone_findings f
                JOIN reviews.reviews r ON r.tenant_id = f.tenant_id AND r.review_id = f.review_id
                JOIN reviews.verifications w ON w.tenant_id = f.tenant_id AND w.review_id = f.review_id
                LEFT JOIN reviews.later_contents k ON k.tenant_id = f.tenant_id AND k.review_id = f.review_id
               WHERE f.tenant_id = v.tenant_id AND w.repository = v.repository
                 AND f.commit_id = coalesce(l.landed_commit_id, v.landed_commit_id, v.commit_id, l.commit_id)
               ORDER BY w.created_at, f.review_id, f.place LIMIT 100) AS b)
    FROM reviews.verifications v
    LEFT JOIN reviews.later_contents l ON l.tenant_id = v.tenant_id AND l.review_id = v.review_id
    LEFT JOIN reviews.undone_work u ON u.tenant_id = v.tenant_id AND u.review_id = v.review_id
   WHERE v.tenant_id = ANY (identity.readable_tenants(tenant)) AND v.review_id = review
$$;
COMMENT ON FUNCTION reviews.get_undone_work IS
  'Returns what a visible merge takes back of earlier landings, and the first 100 places at which later merges took '
  'back its own work, each with the review on the other side. The reviews service calls it for GET '
  '/v1/reviews/{review_id}/merge-receipt.';
REVOKE ALL ON FUNCTION reviews.get_undone_work FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.get_undone_work TO plat_reviews;
