CREATE OR REPLACE FUNCTION figures.queue_times() RETURNS TABLE(
  outcome text, reviews bigint, median_seconds double precision, p95_seconds double precision)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  WITH ended AS (
    SELECT e.move, extract(epoch FROM e.created_at - entered.created_at) AS seconds
      FROM (SELECT m.tenant_id, m.review_id, m.version, m.move, m.created_at FROM reviews.queue_moves m
             WHERE m.created_at > now() - interval '1 hour'
               AND m.move IN ('merge', 'reconcile', 'fail', 'close')
             ORDER BY m.created_at DESC LIMIT 1000) AS e
     -- A review that was not in the queue fails or closes from outside it.
     CROSS JOIN LATERAL (
       SELECT b.move FROM reviews.queue_moves b
        WHERE b.tenant_id = e.tenant_id AND b.review_id = e.review_id AND b.version < e.version
        ORDER BY b.version DESC LIMIT 1) AS before
     CROSS JOIN LATERAL (
       SELECT b.created_at FROM reviews.queue_moves b
        WHERE b.tenant_id = e.tenant_id AND b.review_id = e.review_id AND b.version < e.version AND b.move = 'ready'
        ORDER BY b.version DESC LIMIT 1) AS entered
     WHERE before.move IN ('ready', 'requeue', 'promote'))
  SELECT o.outcome, count(ended.seconds),
         coalesce(percentile_cont(0.5) WITHIN GROUP (ORDER BY ended.seconds), 0),
         coalesce(percentile_cont(0.95) WITHIN GROUP (ORDER BY ended.seconds), 0)
    FROM (VALUES ('merge', 'merged'), ('reconcile', 'reconciled'), ('fail', 'failed'), ('close', 'closed'))
         AS o (move, outcome)
    LEFT JOIN ended ON ended.move = o.move
   GROUP BY o.outcome
$$;
COMMENT ON FUNCTION figures.queue_times IS
  'Returns, over all tenants, how many reviews left their queue within the last hour (the last 1000 at most), and the '
  'median and the 95th percentile of the seconds from READY to the end, including the time at MERGE. It has one row '
  'each for merged, reconciled, failed and closed. The reviews service shows it at /metrics.';
REVOKE ALL ON FUNCTION figures.queue_times FROM PUBLIC;
GRANT EXECUTE ON FUNCTION figures.queue_times TO plat_reviews;
