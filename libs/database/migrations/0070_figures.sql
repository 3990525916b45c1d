-- Figures over all tenants for /metrics: how long the queues are, how old their heads and slots, how long reviews stayed in
-- them, and which deletions are blocked.
-- Guarantees: a service's login calls functions without arguments that return numbers and fixed words only, so that it
-- learns of no single tenant, review or environment. The functions run as plat_figures_owner, which reads the
-- columns it needs, owns no table and is granted to nobody. Each reads by an index, at most as many rows as wait or merge
-- now, or as its own bound says.
-- Policies, grants and functions only; runs in milliseconds.

DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'plat_figures_owner') THEN
    CREATE ROLE plat_figures_owner NOLOGIN;
  END IF;
  GRANT plat_figures_owner TO CURRENT_USER;
END
$$;

CREATE SCHEMA figures AUTHORIZATION plat_figures_owner;
COMMENT ON SCHEMA figures IS
  'Figures over all tenants, which services show at /metrics. It has no tables. Its functions return sums, ages and '
  'quantiles, and take no argument.';
GRANT USAGE ON SCHEMA figures TO plat_reviews, plat_platform;
GRANT USAGE ON SCHEMA reviews, environments TO plat_figures_owner;

SET ROLE plat_reviews_owner;
CREATE POLICY figures ON reviews.reviews FOR SELECT TO plat_figures_owner USING (true);
CREATE POLICY figures ON reviews.queue_moves FOR SELECT TO plat_figures_owner USING (true);
GRANT SELECT (tenant_id, review_id, target_branch, repository, status, ticket) ON reviews.reviews TO plat_figures_owner;
GRANT SELECT (tenant_id, review_id, target_branch, version, move, created_at) ON reviews.queue_moves TO plat_figures_owner;
RESET ROLE;

SET ROLE plat_environments_owner;
CREATE POLICY figures ON environments.environments FOR SELECT TO plat_figures_owner USING (true);
GRANT SELECT (status) ON environments.environments TO plat_figures_owner;
RESET ROLE;

SET ROLE plat_figures_owner;

CREATE FUNCTION figures.merge_queues() RETURNS TABLE(
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
$$;
COMMENT ON FUNCTION figures.merge_queues IS
  'Returns, over all tenants, how many reviews are READY and at MERGE, the longest time in seconds for which a review at '
  'the head of a queue has been READY and for which one has been at MERGE, and the greatest ratio of such a slot''s age '
  'to the 95th percentile of the last slots of its own queue (of those within its last 400 moves; at least five, and at '
  'least one second); 0 if there is none. The ratio is of the 100 oldest slots. The reviews service shows it at /metrics.';

CREATE FUNCTION figures.queue_times() RETURNS TABLE(
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
  'median and the 95th percentile of the seconds from READY, with the time at MERGE, to the end: one row each for merged, '
  'reconciled, failed and closed. The reviews service shows it at /metrics.';

CREATE FUNCTION figures.deletions() RETURNS TABLE(running bigint, blocked bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT count(*) FILTER (WHERE e.status = 'deleting'), count(*) FILTER (WHERE e.status = 'deletion-blocked')
    FROM environments.environments e WHERE e.status IN ('deleting', 'deletion-blocked')
$$;
COMMENT ON FUNCTION figures.deletions IS
  'Returns, over all tenants, how many environments are being deleted and of how many the deletion is blocked. The '
  'platform service shows it at /metrics.';

REVOKE ALL ON FUNCTION figures.merge_queues(), figures.queue_times(), figures.deletions() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION figures.merge_queues(), figures.queue_times() TO plat_reviews;
GRANT EXECUTE ON FUNCTION figures.deletions() TO plat_platform;
RESET ROLE;
