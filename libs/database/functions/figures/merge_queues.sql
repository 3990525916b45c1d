CREATE OR REPLACE FUNCTION figures.merge_queues() RETURNS TABLE(
  waiting bigint, merging bigint, head_age_seconds double precision, slot_age_seconds double precision,
  slot_age_to_p95 double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH heads AS (
    SELECT DISTINCT ON (r.tenant_id, r.target_branch, r.repository) r.tenant_id, r.review_id
      FROM reviews.reviews r WHERE r.status = 'READY'
     ORDER BY r.tenant_id, r.target_branch, r.repository, r.ticket),
  slots AS (
    SELECT r.tenant_id, r.target_branch, extract(epoch FROM now() - since.created_at) AS age
      FROM reviews.reviews r
     CROSS JOIN LATERAL (
       SELECT m.created_at FROM reviews.queue_moves m
        WHERE m.tenant_id = r.tenant_id AND m.review_id = r.review_id ORDER BY m.version DESC LIMIT 1) AS since
     WHERE r.status = 'MERGE')
  SELECT (SELECT count(*) FROM reviews.reviews r WHERE r.status = 'READY'),
         (SELECT count(*) FROM reviews.reviews r WHERE r.status = 'MERGE'),
         -- A review at READY or MERGE came there by its last move.
         coalesce((SELECT max(extract(epoch FROM now() - since.created_at)) FROM heads h
           CROSS JOIN LATERAL (
             SELECT m.created_at FROM reviews.queue_moves m
              WHERE m.tenant_id = h.tenant_id AND m.review_id = h.review_id ORDER BY m.version DESC LIMIT 1) AS since), 0),
         coalesce((SELECT max(s.age) FROM slots s), 0),
         -- Only the oldest slots are compared, so that many queues do not make the statement long. An alarm asks for both
         -- figures, which are maxima: a young slot of one queue must not meet the age of another's.
         coalesce((SELECT max(s.age / greatest(held.p95, 1))
           FROM (SELECT * FROM slots WHERE age > 900 ORDER BY age DESC LIMIT 100) AS s
          CROSS JOIN LATERAL (
            SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM moves.left_at - moves.created_at)) AS p95,
                   count(*) AS holds
              FROM (SELECT last.move, last.created_at,
                           lead(last.created_at) OVER (PARTITION BY last.review_id ORDER BY last.version) AS left_at
                      FROM (SELECT q.review_id, q.move, q.created_at, q.version FROM reviews.queue_moves q
                             WHERE q.tenant_id = s.tenant_id AND q.target_branch = s.target_branch
                             ORDER BY q.version DESC LIMIT 400) AS last) AS moves
             WHERE moves.move = 'promote' AND moves.left_at IS NOT NULL) AS held
          WHERE held.holds >= 5), 0)
$$;
COMMENT ON FUNCTION figures.merge_queues IS
  'Returns, over all tenants, how many reviews are READY and at MERGE, the longest time in seconds for which a '
  'review at the head of a queue has been READY and for which one has been at MERGE, and the greatest ratio of such '
  'a slot''s age to the 95th percentile of the last slots of its own queue (of those within its last 400 moves; at '
  'least five, and at least one second); 0 if there is none. The ratio is of the 100 oldest slots, of those older '
  'than 15 minutes. The reviews service shows it at /metrics.';
REVOKE ALL ON FUNCTION figures.merge_queues FROM PUBLIC;
GRANT EXECUTE ON FUNCTION figures.merge_queues TO plat_reviews;
