import type { ContentVerdict } from '@plat/contracts/core';
import type { Review, ReviewEvent } from '@plat/contracts/reviews';
import { issueReference } from '@plat/remote';
import type { ReviewEventRow, ReviewRow } from './review.queries';

/** The response for a row, without unset fields and with the issue derived from the branch. Rules A2 and B1. */
export function toReview(row: ReviewRow): Review {
  const issueRef = issueReference(row.source_branch);
  return {
    reviewId: row.review_id,
    tenantId: row.tenant_id,
    authorUserId: row.author_user_id,
    name: row.name,
    repository: row.repository ?? undefined,
    targetBranch: row.target_branch,
    sourceBranch: row.source_branch,
    status: row.status,
    lastFailedBuildId: row.last_failed_build_id ?? undefined,
    lastReadyBuildId: row.last_ready_build_id ?? undefined,
    lastMergedBuildId: row.last_merged_build_id ?? undefined,
    issueRef,
    issueRefSource: issueRef === undefined ? undefined : 'INFERRED',
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** A row with the verdict on the content of its landing. */
export interface JudgedRow {
  row: ReviewRow;
  /** Undefined if it is not MERGED. */
  verdict: ContentVerdict | undefined;
}

/** The response for a review that is read or listed. */
export function toJudgedReview({ row, verdict }: JudgedRow): Review {
  return { ...toReview(row), contentVerdict: verdict };
}

/** The event for a move, without unset fields. */
export function toEvent(row: ReviewEventRow): ReviewEvent {
  return {
    at: row.moved_at,
    from: row.from_status ?? undefined,
    to: row.to_status,
    cause: row.cause,
    actorUserId: row.actor_user_id,
    actorUsername: row.actor_username,
    buildId: row.build_id ?? undefined,
    reason: row.reason ?? undefined,
    ticket: row.ticket ?? undefined,
    queueVersion: row.queue_version || undefined,
  };
}
