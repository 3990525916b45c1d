import type { Invariant } from './invariant';

/** Reviews and the proofs of their merges. */
export const REVIEW_INVARIANTS: Invariant[] = [
  {
    promise: 'a live name is unique in its repository',
    sql: `
      SELECT tenant_id, repository, name, array_agg(review_id) AS review_ids FROM reviews.reviews
       WHERE status <> 'CLOSED' GROUP BY tenant_id, repository, name HAVING count(*) > 1`,
  },
  {
    promise: 'a live pair of branches is unique in its repository',
    sql: `
      SELECT tenant_id, repository, source_branch, target_branch, array_agg(review_id) AS review_ids
        FROM reviews.reviews WHERE status NOT IN ('MERGED', 'CLOSED')
       GROUP BY tenant_id, repository, source_branch, target_branch HAVING count(*) > 1`,
  },
  {
    promise: 'READY rests on a successful build of this very review',
    sql: `
      SELECT r.tenant_id, r.review_id, r.status, r.last_ready_build_id
        FROM reviews.reviews r
        LEFT JOIN builds.builds b ON b.tenant_id = r.tenant_id AND b.build_id = r.last_ready_build_id
       WHERE r.status IN ('READY', 'MERGE')
         AND (b.review_id IS DISTINCT FROM r.review_id OR NOT b.successful)`,
  },
  {
    promise: 'FAILED rests on a failed build of this very review',
    sql: `
      SELECT r.tenant_id, r.review_id, r.last_failed_build_id
        FROM reviews.reviews r
        LEFT JOIN builds.builds b ON b.tenant_id = r.tenant_id AND b.build_id = r.last_failed_build_id
       WHERE r.status = 'FAILED' AND (b.review_id IS DISTINCT FROM r.review_id OR b.successful)`,
  },
  {
    promise:
      'a merge through the queue has a successful GATE build of this very review, of the commit that landed',
    sql: `
      SELECT r.tenant_id, r.review_id, r.last_merged_build_id, r.merged_commit_id
        FROM reviews.reviews r
        LEFT JOIN builds.builds b ON b.tenant_id = r.tenant_id AND b.build_id = r.last_merged_build_id
       WHERE r.last_merged_build_id IS NOT NULL
         AND (r.status <> 'MERGED' OR b.review_id IS DISTINCT FROM r.review_id OR b.kind <> 'GATE'
              OR NOT b.successful OR b.commit_id IS DISTINCT FROM r.merged_commit_id)`,
  },
  {
    promise: 'MERGED has a verification record with the proof of the merge, and no other status has one',
    sql: `
      SELECT coalesce(r.tenant_id, v.tenant_id) AS tenant_id, coalesce(r.review_id, v.review_id) AS review_id,
             r.status, v.route
        FROM (SELECT * FROM reviews.reviews WHERE status = 'MERGED') AS r
        FULL JOIN reviews.verifications v ON v.tenant_id = r.tenant_id AND v.review_id = r.review_id
       WHERE r.review_id IS NULL OR v.review_id IS NULL
          OR v.route <> CASE WHEN r.last_merged_build_id IS NULL THEN 'reconciled' ELSE 'queue' END
          OR v.repository IS DISTINCT FROM r.repository OR v.target_branch <> r.target_branch
          OR v.build_id IS DISTINCT FROM r.last_merged_build_id
          OR (v.route = 'queue' AND v.commit_id IS DISTINCT FROM r.merged_commit_id)`,
  },
  {
    promise: 'MERGED has one verdict on the landed content, and only UNKNOWN may lack the commit',
    sql: `
      SELECT r.tenant_id, r.review_id, min(v.content_verdict) AS content_verdict
        FROM reviews.reviews r LEFT JOIN reviews.verifications v USING (tenant_id, review_id)
       WHERE r.status = 'MERGED'
       GROUP BY r.tenant_id, r.review_id
      HAVING count(v.content_verdict) <> 1
          OR bool_or(v.content_verdict <> 'UNKNOWN' AND num_nulls(v.commit_id, v.tree_id, v.source_tip) > 0)`,
  },
  {
    promise: 'a merge through the queue was anchored at the one before it on the same target and repository',
    sql: `
      SELECT * FROM (
        SELECT r.tenant_id, r.review_id, v.anchor_commit_id,
               lag(r.merged_commit_id) OVER (PARTITION BY r.tenant_id, r.target_branch, r.repository
                                             ORDER BY r.merge_sequence) AS merged_before
          FROM reviews.reviews r JOIN reviews.verifications v USING (tenant_id, review_id)
         WHERE r.merge_sequence IS NOT NULL) AS merges
       WHERE anchor_commit_id IS DISTINCT FROM merged_before`,
  },
  {
    promise: 'a merge through the queue has a release, or the reason why none could be queued',
    sql: `
      SELECT r.tenant_id, r.review_id, r.merged_commit_id
        FROM reviews.reviews r LEFT JOIN reviews.verifications v USING (tenant_id, review_id)
       WHERE r.merged_commit_id IS NOT NULL AND v.release_error IS NULL
         AND NOT EXISTS (SELECT FROM releases.releases e
                          WHERE e.tenant_id = r.tenant_id AND e.commit_id = r.merged_commit_id)`,
  },
];
