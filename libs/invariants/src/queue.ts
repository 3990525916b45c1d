import type { Invariant } from './invariant';

/** A version later than every move, as the end of a review's last stay. */
const LAST_VERSION = '9223372036854775807';

/** The merge queue, checked by its rows and by the log of its moves. */
export const QUEUE_INVARIANTS: Invariant[] = [
  {
    promise: 'at most one review is at MERGE per tenant, repository and target',
    sql: `
      SELECT tenant_id, repository, target_branch, array_agg(review_id) AS review_ids FROM reviews.reviews
       WHERE status = 'MERGE' GROUP BY tenant_id, repository, target_branch HAVING count(*) > 1`,
  },
  {
    // A row that records no repository is promoted only from the line that it shares with a named one. A promotion passed
    // over an earlier ticket if a review with an earlier ticket left the line after the promotion. Only such promotions
    // are compared with the entries one by one.
    promise: 'the promoted review had the smallest ticket of its queue',
    sql: `
      WITH moves AS (
        SELECT tenant_id, target_branch, repository, review_id, version, move, ticket,
               coalesce(lead(version) OVER (PARTITION BY tenant_id, target_branch, review_id ORDER BY version),
                        ${LAST_VERSION}) AS left_at
          FROM reviews.queue_moves),
      entries AS (SELECT * FROM moves WHERE move IN ('ready', 'requeue')),
      suspects AS (
        SELECT * FROM (
          SELECT *, max(left_at) FILTER (WHERE move <> 'promote') OVER before_in_any AS latest_of_any,
                    max(left_at) FILTER (WHERE move <> 'promote') OVER before_in_own AS latest_of_own
            FROM moves WHERE move IN ('ready', 'requeue', 'promote')
          WINDOW before_in_any AS (PARTITION BY tenant_id, target_branch ORDER BY ticket
                                   GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
                 before_in_own AS (PARTITION BY tenant_id, target_branch, repository ORDER BY ticket
                                   GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)) AS m
         WHERE move = 'promote' AND version <= CASE WHEN repository IS NULL THEN latest_of_any ELSE latest_of_own END)
      SELECT promoted.tenant_id, promoted.target_branch, promoted.version, promoted.review_id,
             earlier.review_id AS passed_over
        FROM suspects promoted JOIN entries earlier USING (tenant_id, target_branch)
       WHERE earlier.version < promoted.version AND earlier.ticket < promoted.ticket
         AND (promoted.repository IS NULL OR earlier.repository = promoted.repository)
         AND earlier.left_at >= promoted.version`,
  },
  {
    promise: 'a review that enters READY takes the largest ticket of its queue, also by a requeue',
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
        LEFT JOIN (SELECT DISTINCT ON (tenant_id, target_branch, review_id) tenant_id, target_branch, review_id, move
                     FROM reviews.queue_moves ORDER BY tenant_id, target_branch, review_id, version DESC) AS last
               ON last.tenant_id = r.tenant_id AND last.target_branch = r.target_branch AND last.review_id = r.review_id
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
        LEFT JOIN (SELECT DISTINCT ON (tenant_id, target_branch, review_id) tenant_id, target_branch, review_id, ticket
                     FROM reviews.queue_moves WHERE move IN ('ready', 'requeue')
                    ORDER BY tenant_id, target_branch, review_id, version DESC) AS entry
               ON entry.tenant_id = r.tenant_id AND entry.target_branch = r.target_branch
              AND entry.review_id = r.review_id
       WHERE r.ticket IS DISTINCT FROM CASE r.status WHEN 'READY' THEN entry.ticket END
          OR (r.status = 'READY' AND r.ticket IS NULL)`,
  },
  {
    promise: 'a move of a review begins where the one before it has ended',
    sql: `
      SELECT * FROM (
        SELECT tenant_id, target_branch, version, review_id, move,
               coalesce(lag(move) OVER (PARTITION BY tenant_id, target_branch, review_id ORDER BY version),
                        'none') AS move_before
          FROM reviews.queue_moves) AS moves
       WHERE NOT CASE move
               WHEN 'ready' THEN move_before IN ('none', 'fail', 'promote')
               WHEN 'promote' THEN move_before IN ('ready', 'requeue')
               WHEN 'fail' THEN move_before IN ('none', 'ready', 'requeue', 'promote', 'fail')
               WHEN 'close' THEN move_before IN ('none', 'ready', 'requeue', 'fail')
               WHEN 'reconcile' THEN move_before IN ('none', 'ready', 'requeue', 'fail')
               ELSE move_before = 'promote' END`,
  },
  {
    promise:
      'a move names the build that caused it: of this review, with the outcome and the kind of the cause',
    sql: `
      SELECT m.tenant_id, m.target_branch, m.version, m.review_id, m.cause, m.build_id, b.kind, b.successful
        FROM reviews.queue_moves m
        LEFT JOIN builds.builds b ON b.tenant_id = m.tenant_id AND b.build_id = m.build_id
       WHERE m.build_id IS NOT NULL
         AND (b.review_id IS DISTINCT FROM m.review_id OR b.successful = (m.move = 'fail')
              OR (m.move <> 'ready' AND (b.kind = 'GATE') <> (m.cause IN ('GATE_FAILED', 'MERGED'))))`,
  },
  {
    promise: "a review's builds are those of its last moves",
    sql: `
      SELECT r.tenant_id, r.review_id, last.version, last.cause, last.build_id
        FROM reviews.reviews r
        JOIN (SELECT DISTINCT ON (tenant_id, target_branch, review_id, move) *
                FROM reviews.queue_moves WHERE move IN ('ready', 'fail', 'merge')
               ORDER BY tenant_id, target_branch, review_id, move, version DESC) AS last
          ON last.tenant_id = r.tenant_id AND last.target_branch = r.target_branch AND last.review_id = r.review_id
       WHERE last.build_id IS DISTINCT FROM CASE last.move WHEN 'ready' THEN r.last_ready_build_id
               WHEN 'fail' THEN r.last_failed_build_id ELSE r.last_merged_build_id END`,
  },
  {
    promise: 'a move was made by a user of its tenant',
    sql: `
      SELECT m.tenant_id, m.target_branch, m.version, m.review_id, m.cause, m.actor_user_id
        FROM reviews.queue_moves m
        LEFT JOIN identity.users u ON u.tenant_id = m.tenant_id AND u.user_id = m.actor_user_id
       WHERE u.user_id IS NULL`,
  },
  {
    promise: 'the moves of a cause in a queue are numbered without a gap',
    sql: `
      SELECT m.tenant_id, m.target_branch, m.version, m.repository, m.cause, m.nth, m.place
        FROM (SELECT *, row_number() OVER (PARTITION BY tenant_id, target_branch, repository, cause
                                           ORDER BY version) AS place
                FROM reviews.queue_moves) AS m
       WHERE m.nth <> m.place`,
  },
];
