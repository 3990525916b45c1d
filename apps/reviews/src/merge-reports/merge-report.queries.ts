import type { BuildKind } from '@plat/contracts/core';
import type { Database, TenantScope } from '@plat/database';
import type { MergeProof } from '../merge-verifications/content-proof';
import type { ReviewRow } from '../reviews/review.queries';

/** A review that is reported MERGED, with the named build and the anchor of its queue. */
export interface MergeCaseRow extends ReviewRow {
  build_review_id: string | null;
  build_kind: BuildKind | null;
  build_successful: boolean | null;
  build_commit_id: string | null;
  anchor_commit_id: string | null;
}

/** Reads, in one snapshot, all that a MERGED report is judged on except git. The anchor is the named repository's. */
export function readMergeCase(
  database: Database,
  scope: TenantScope,
  report: { reviewId: string; buildId?: string; repository?: string },
): Promise<MergeCaseRow[]> {
  return database.call(scope, {
    name: 'reviews.merge_case',
    args: [report.reviewId, report.buildId ?? null, report.repository ?? null],
    select:
      '(f.subject).*, f.build_review_id, f.build_kind, f.build_successful, f.build_commit_id, f.anchor_commit_id',
  });
}

export interface QueueMerge {
  reviewId: string;
  buildId: string;
  releaseId: string;
  expectedRepository: string | null;
  repository: string;
  proof: MergeProof;
}

/** Applies a verified queue merge. Returns no row when the review, build or anchor has changed since it was judged. */
export function acceptQueueMerge(
  database: Database,
  scope: TenantScope,
  { reviewId, buildId, releaseId, expectedRepository, repository, proof }: QueueMerge,
): Promise<(ReviewRow & { release_error: string | null })[]> {
  return database.call(scope, {
    name: 'reviews.accept_queue_merge',
    args: [reviewId, buildId, releaseId, expectedRepository, repository, JSON.stringify(proof)],
    select: '(f.merged).*, f.release_error',
  });
}

export interface HistoryMerge {
  reviewId: string;
  expectedStatus: string;
  expectedRepository: string | null;
  repository: string;
  proof: MergeProof;
}

/** Applies a verified reconciliation. Returns no row when the review has moved. */
export function acceptHistoryMerge(
  database: Database,
  scope: TenantScope,
  { reviewId, expectedStatus, expectedRepository, repository, proof }: HistoryMerge,
): Promise<ReviewRow[]> {
  return database.call(scope, {
    name: 'reviews.accept_history_merge',
    args: [reviewId, expectedStatus, expectedRepository, repository, JSON.stringify(proof)],
  });
}
