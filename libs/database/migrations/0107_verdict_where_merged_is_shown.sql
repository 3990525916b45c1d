-- The verdict on a landing's content is read where MERGED is shown, without the receipt of each review.
-- Guarantees: both reads are bounded: by the reviews that are asked about, and by the last landings of one queue.
-- Functions only; runs in milliseconds.

SET ROLE plat_reviews_owner;

CREATE FUNCTION reviews.content_verdicts(tenant uuid, wanted uuid[])
RETURNS TABLE(review_id uuid, content_verdict text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT v.review_id, coalesce(l.content_verdict, v.content_verdict)
    FROM reviews.verifications v
    LEFT JOIN reviews.later_contents l ON l.tenant_id = v.tenant_id AND l.review_id = v.review_id
   WHERE v.tenant_id = ANY (identity.readable_tenants(tenant)) AND v.review_id = ANY (wanted)
$$;
COMMENT ON FUNCTION reviews.content_verdicts IS
  'Returns the verdict on the content of each landing of visible reviews, as their receipts have it. The reviews service '
  'calls it for GET /v1/reviews and GET /v1/reviews/{review_id}.';

CREATE FUNCTION reviews.divergent_landings(tenant uuid, target text, repo text, most integer)
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

REVOKE ALL ON FUNCTION reviews.content_verdicts(uuid, uuid[]),
  reviews.divergent_landings(uuid, text, text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reviews.content_verdicts(uuid, uuid[]),
  reviews.divergent_landings(uuid, text, text, integer) TO plat_reviews;
RESET ROLE;
