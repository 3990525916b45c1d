CREATE OR REPLACE FUNCTION reviews.merges(tenant uuid, target text, parts text[], from_version bigint, to_version bigint, most integer)
RETURNS TABLE(version bigint, merged_at timestamp with time zone, promoted_version bigint,
  promoted_at timestamp with time zone, entry_version bigint, ready_at timestamp with time zone, ticket bigint)
LANGUAGE plpgsql STABLE
AS $$
BEGIN
  RETURN QUERY
    SELECT m.version, m.created_at, p.version, p.created_at, e.version, e.created_at, e.ticket
      FROM (
        SELECT l.* FROM (
          -- As in reviews.last_move: no other index has this order.
          (SELECT q.version, q.review_id, q.created_at FROM reviews.queue_moves q
            WHERE q.tenant_id = tenant AND q.target_branch = target
              AND (q.repository, q.cause, q.version) >= (parts[1], 'MERGED', from_version)
              AND (q.repository, q.cause, q.version) <= (parts[1], 'MERGED', to_version)
            ORDER BY q.repository DESC, q.cause DESC, q.version DESC LIMIT most)
          UNION ALL
          (SELECT q.version, q.review_id, q.created_at FROM reviews.queue_moves q
            WHERE parts[cardinality(parts)] IS NULL AND q.tenant_id = tenant AND q.target_branch = target
              AND q.repository IS NULL AND (q.cause, q.version) >= ('MERGED', from_version)
              AND (q.cause, q.version) <= ('MERGED', to_version)
            ORDER BY q.repository DESC, q.cause DESC, q.version DESC LIMIT most)) AS l
         ORDER BY l.version DESC LIMIT most) AS m
     -- A review that merged was promoted by the move before, and had entered by the one before that.
     CROSS JOIN LATERAL (
       SELECT q.version, q.created_at FROM reviews.queue_moves q
        WHERE q.tenant_id = tenant AND q.review_id = m.review_id AND q.version < m.version
        ORDER BY q.version DESC LIMIT 1) AS p
     CROSS JOIN LATERAL (
       SELECT q.version, q.created_at, q.ticket FROM reviews.queue_moves q
        WHERE q.tenant_id = tenant AND q.review_id = m.review_id AND q.version < p.version
        ORDER BY q.version DESC LIMIT 1) AS e
     ORDER BY m.version DESC;
END
$$;
COMMENT ON FUNCTION reviews.merges IS
  'Returns the last merges through a queue between two versions of it, newest first: when the review was merged, '
  'when it was promoted, and when and with which ticket it had entered. reviews.queue_status and '
  'reviews.queue_statistics call it.';
REVOKE ALL ON FUNCTION reviews.merges FROM PUBLIC;
