import type { Invariant } from './invariant';

/** The merge queue, judged by the log of its moves as much as by the rows. */
export const QUEUE_INVARIANTS: Invariant[] = [
  {
    promise: 'at most one review is at MERGE per tenant, repository and target',
    sql: `
      SELECT tenant_id, repository, target_branch, array_agg(review_id) AS review_ids FROM reviews.reviews
       WHERE status = 'MERGE' GROUP BY tenant_id, repository, target_branch HAVING count(*) > 1`,
  },
  {
    // A row that records no repository is promoted only from the line that it shares with a named one.
    promise: 'the promoted review had the smallest ticket of its queue',
    sql: `
      SELECT promoted.tenant_id, promoted.target_branch, promoted.version, promoted.review_id,
             earlier.review_id AS passed_over
        FROM reviews.queue_moves promoted JOIN reviews.queue_moves earlier USING (tenant_id, target_branch)
       WHERE promoted.move = 'promote' AND earlier.move IN ('ready', 'requeue')
         AND earlier.version < promoted.version AND earlier.ticket < promoted.ticket
         AND (promoted.repository IS NULL OR earlier.repository = promoted.repository)
         AND NOT EXISTS (SELECT FROM reviews.queue_moves later
                          WHERE later.tenant_id = earlier.tenant_id AND later.target_branch = earlier.target_branch
                            AND later.review_id = earlier.review_id
                            AND later.version > earlier.version AND later.version < promoted.version)`,
  },
  {
    promise: 'whoever enters READY takes the largest ticket of its queue, a requeue too',
    sql: `
      SELECT * FROM (
        SELECT tenant_id, target_branch, version, move, ticket,
               max(ticket) OVER (PARTITION BY tenant_id, target_branch ORDER BY version
                                 ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS largest_before
          FROM reviews.queue_moves WHERE move IN ('ready', 'requeue')) AS entries
       WHERE ticket <= largest_before`,
  },
  {
    promise: 'every move raised the version of its queue by one, and is in its log',
    sql: `
      SELECT q.tenant_id, q.target_branch, q.version, q.last_ticket, count(m.version) AS moves,
             max(m.version) AS last_version, max(m.ticket) AS largest_ticket
        FROM reviews.queues q LEFT JOIN reviews.queue_moves m USING (tenant_id, target_branch)
       GROUP BY q.tenant_id, q.target_branch, q.version, q.last_ticket
      HAVING count(m.version) <> q.version OR coalesce(max(m.version), 0) <> q.version
          OR coalesce(max(m.ticket), 0) <> q.last_ticket`,
  },
  {
    promise: "a review's status is where its last move took it",
    sql: `
      SELECT r.tenant_id, r.review_id, r.status, last.move
        FROM reviews.reviews r
        LEFT JOIN LATERAL (SELECT m.move FROM reviews.queue_moves m
                            WHERE m.tenant_id = r.tenant_id AND m.target_branch = r.target_branch
                              AND m.review_id = r.review_id ORDER BY m.version DESC LIMIT 1) AS last ON true
       WHERE r.status IS DISTINCT FROM CASE coalesce(last.move, 'none')
               WHEN 'none' THEN 'OPEN' WHEN 'ready' THEN 'READY' WHEN 'requeue' THEN 'READY' WHEN 'promote' THEN 'MERGE'
               WHEN 'fail' THEN 'FAILED' WHEN 'close' THEN 'CLOSED' ELSE 'MERGED' END`,
  },
  {
    promise: 'MERGED and CLOSED are never left',
    sql: `
      SELECT ended.tenant_id, ended.target_branch, ended.review_id, ended.move, later.move AS move_after
        FROM reviews.queue_moves ended JOIN reviews.queue_moves later USING (tenant_id, target_branch, review_id)
       WHERE ended.move IN ('merge', 'reconcile', 'close') AND later.version > ended.version`,
  },
  {
    promise: 'a review has a ticket exactly while it is READY: that of its last entry',
    sql: `
      SELECT r.tenant_id, r.review_id, r.status, r.ticket, entry.ticket AS entered_with
        FROM reviews.reviews r
        LEFT JOIN LATERAL (SELECT m.ticket FROM reviews.queue_moves m
                            WHERE m.tenant_id = r.tenant_id AND m.target_branch = r.target_branch
                              AND m.review_id = r.review_id AND m.move IN ('ready', 'requeue')
                            ORDER BY m.version DESC LIMIT 1) AS entry ON true
       WHERE r.ticket IS DISTINCT FROM CASE r.status WHEN 'READY' THEN entry.ticket END
          OR (r.status = 'READY' AND r.ticket IS NULL)`,
  },
];
