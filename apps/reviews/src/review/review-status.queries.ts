import type {
  BuildKind,
  ContentFinding,
  ContentReason,
  ContentVerdict,
  MergeCondition,
} from '@plat/contracts/core';
import type { Database, TenantScope } from '@plat/database';
import type { EntityManager } from 'typeorm';
import type { ReviewRow } from './review.queries';

/** A review that is about to be reported MERGED, with the build named and the anchor of its queue. */
export interface MergeCaseRow extends ReviewRow {
  build_review_id: string | null;
  build_kind: BuildKind | null;
  build_successful: boolean | null;
  build_commit_id: string | null;
  anchor_commit_id: string | null;
}

/** Takes the lock of the review's queue and reads the review under it. Lock order: queue, then review. */
export function beginMove(tx: EntityManager, scope: TenantScope, reviewId: string): Promise<ReviewRow[]> {
  return tx.query('SELECT * FROM reviews.begin_move($1, $2)', [scope.tenantId, reviewId]);
}

/** A move that a build is named for. */
interface MoveByBuild {
  reviewId: string;
  buildId: string;
}

/** To READY at the tail. @throws NOT_FOUND for a build of another review, or one that failed */
export function readyByBuild(
  tx: EntityManager,
  scope: TenantScope,
  { reviewId, buildId }: MoveByBuild,
): Promise<ReviewRow[]> {
  return tx.query('SELECT * FROM reviews.ready_by_build($1, $2, $3)', [scope.tenantId, reviewId, buildId]);
}

/** To FAILED. @throws NOT_FOUND for a build of another review, or one that succeeded */
export function failByBuild(
  tx: EntityManager,
  scope: TenantScope,
  { reviewId, buildId }: MoveByBuild,
): Promise<ReviewRow[]> {
  return tx.query('SELECT * FROM reviews.fail_by_build($1, $2, $3)', [scope.tenantId, reviewId, buildId]);
}

/** From MERGE back to READY, at the tail. */
export function requeue(tx: EntityManager, scope: TenantScope, reviewId: string): Promise<ReviewRow[]> {
  return tx.query('SELECT * FROM reviews.requeue($1, $2)', [scope.tenantId, reviewId]);
}

export function closeReview(tx: EntityManager, scope: TenantScope, reviewId: string): Promise<ReviewRow[]> {
  return tx.query('SELECT * FROM reviews.close_review($1, $2)', [scope.tenantId, reviewId]);
}

/** Reads at one moment what a MERGED report is judged on beside git. The anchor is the named repository's. */
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

/** What the verdict on the content adds to it. */
export interface ContentProof {
  statementVersion: 2;
  commitId?: string;
  landedCommitId?: string;
  parentCommitId?: string | undefined;
  treeId?: string;
  sourceTip?: string;
  contentVerdict: ContentVerdict;
  /** Absent with EXACT. */
  contentReason?: ContentReason;
  builtOnCommitId?: string;
  findings?: ContentFinding[];
  findingsLeftOut?: number;
}

/** What git showed, as it is kept with the review. Commit ids are full and in lower case. */
export interface MergeProof extends ContentProof {
  remoteUrl: string;
  targetTip: string;
  conditions: MergeCondition[];
  anchorCommitId?: string;
}

export interface QueueMerge {
  reviewId: string;
  buildId: string;
  releaseId: string;
  expectedRepository: string | null;
  repository: string;
  proof: MergeProof;
}

/** Applies a verified queue merge; no row when what it was judged on has moved. */
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

/** Applies a verified reconciliation; no row when the review has moved. */
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

/** Keeps a verdict that came after its merge; no row when there is one already. */
export function recordLaterContent(
  database: Database,
  scope: TenantScope,
  { reviewId, proof }: { reviewId: string; proof: ContentProof },
): Promise<{ review_id: string }[]> {
  return database.call(scope, {
    name: 'reviews.record_later_content',
    args: [reviewId, JSON.stringify(proof)],
    select: 'f.review_id',
  });
}
