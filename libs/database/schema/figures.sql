-- The schema figures after all migrations. Written by `npm run generate` from the catalogue of a database that
-- `npm run db -- migrate` made: for reading and reviewing, not for running. Partitions are left out.

-- Figures over all tenants, which services show at /metrics. It has no tables. Its functions return sums, ages and
-- quantiles, and take no argument.
CREATE SCHEMA figures AUTHORIZATION plat_figures_owner;
GRANT USAGE ON SCHEMA figures TO plat_platform;
GRANT USAGE ON SCHEMA figures TO plat_reviews;

-- Returns, over all tenants, how many environments are being deleted and of how many the deletion is blocked. The
-- platform service shows it at /metrics.
CREATE OR REPLACE FUNCTION figures.deletions()
 RETURNS TABLE(running bigint, blocked bigint)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
  SELECT count(*) FILTER (WHERE e.status = 'deleting'), count(*) FILTER (WHERE e.status = 'deletion-blocked')
    FROM environments.environments e WHERE e.status IN ('deleting', 'deletion-blocked')
$function$;

-- Returns, over all tenants, how many reviews are READY and at MERGE, the longest time in seconds for which a review
-- at the head of a queue has been READY and for which one has been at MERGE, and the greatest ratio of such a slot's
-- age to the 95th percentile of the last slots of its own queue (of those within its last 400 moves; at least five,
-- and at least one second); 0 if there is none. The ratio is of the 100 oldest slots. The reviews service shows it at
-- /metrics.
CREATE OR REPLACE FUNCTION figures.merge_queues()
 RETURNS TABLE(waiting bigint, merging bigint, head_age_seconds double precision, slot_age_seconds double precision, slot_age_to_p95 double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
         -- Only the oldest slots are compared, so that many queues do not make the statement long.
         coalesce((SELECT max(s.age / greatest(held.p95, 1))
           FROM (SELECT * FROM slots ORDER BY age DESC LIMIT 100) AS s
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
$function$;

-- Returns, over all tenants, how many reviews left their queue within the last hour (the last 1000 at most), and the
-- median and the 95th percentile of the seconds from READY, with the time at MERGE, to the end: one row each for
-- merged, reconciled, failed and closed. The reviews service shows it at /metrics.
CREATE OR REPLACE FUNCTION figures.queue_times()
 RETURNS TABLE(outcome text, reviews bigint, median_seconds double precision, p95_seconds double precision)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'pg_temp'
AS $function$
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
$function$;

GRANT EXECUTE ON FUNCTION figures.deletions() TO plat_platform;
GRANT EXECUTE ON FUNCTION figures.merge_queues() TO plat_reviews;
GRANT EXECUTE ON FUNCTION figures.queue_times() TO plat_reviews;
