CREATE OR REPLACE FUNCTION reviews.divergent_landings(tenant uuid, target text, repo text, most integer)
RETURNS TABLE(review_id uuid, name text, source_branch text, author_user_id uuid, landed_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  parts text[] := reviews.queue_parts(tenant, target, repo);
BEGIN
  RETURN QUERY
    SELECT r.review_id, r.name, r.source_branch, r.author_user_id, m.created_at
      FROM (
        SELECT l.* FROM unnest(ARRAY['MERGED', 'RECONCILED']) AS c (cause)
         CROSS JOIN LATERAL (
          -- As in reviews.merges: no other index has this order.
          (SELECT q.review_id, q.created_at, q.version FROM reviews.queue_moves q
            WHERE q.tenant_id = tenant AND q.target_branch = target
              AND (q.repository, q.cause, q.version) >= (parts[1], c.cause, 0::bigint)
              AND (q.repository, q.cause, q.version) <= (parts[1], c.cause, 9223372036854775807)
            ORDER BY q.repository DESC, q.cause DESC, q.version DESC LIMIT most)
          UNION ALL
          (SELECT q.review_id, q.created_at, q.version FROM reviews.queue_moves q
            WHERE parts[cardinality(parts)] IS NULL AND q.tenant_id = tenant AND q.target_branch = target
              AND q.repository IS NULL AND (q.cause, q.version) >= (c.cause, 0::bigint)
              AND (q.cause, q.version) <= (c.cause, 9223372036854775807)
            ORDER BY q.repository DESC, q.cause DESC, q.version DESC LIMIT most)) AS l
         ORDER BY l.version DESC LIMIT most) AS m
      JOIN reviews.reviews r ON r.tenant_id = tenant AND r.review_id = m.review_id
      JOIN reviews.verifications v ON v.tenant_id = tenant AND v.review_id = m.review_id
      LEFT JOIN reviews.later_contents c ON c.tenant_id = tenant AND c.review_id = m.review_id
     WHERE coalesce(c.content_verdict, v.content_verdict) = 'DIVERGENT'
     ORDER BY m.version DESC;
END
$$;
COMMENT ON FUNCTION reviews.divergent_landings IS
  'Returns those of the last landings of a queue, through it or past it, whose content is DIVERGENT, newest first. '
  'Refuses with MERGE_QUEUE_AMBIGUOUS as reviews.queue_parts does. The reviews service calls it for GET '
  '/v1/reviews/merge-queue/status.';
REVOKE ALL ON FUNCTION reviews.divergent_landings FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.divergent_landings TO plat_reviews;
