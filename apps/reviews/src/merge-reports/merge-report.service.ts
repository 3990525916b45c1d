import { Inject, Injectable } from '@nestjs/common';
import { ApiError, EDGE_TIMEOUT_SECONDS, invalidField, newId, notFound } from '@plat/contracts/core';
import type { UpdateReviewStatus } from '@plat/contracts/reviews';
import { Database } from '@plat/database';
import { patchTrigger, reviewEffect } from '@plat/lifecycle';
import { canonicalRepository, fetchAddress } from '@plat/remote';
import type { Caller, Log } from '@plat/service';
import type { LandedContent } from '@plat/verifier';
import { LOG } from '../log';
import { isNotComputed, LaterContent } from '../merge-receipts/later-content';
import { contentProof } from '../merge-verifications/content-proof';
import { MergeVerification } from '../merge-verifications/merge-verification';
import type { ReviewRow } from '../reviews/review.queries';
import { uniquenessConflict } from '../reviews/review.service';
import { refusalOfMove } from '../reviews/status-refusal';
import { MergeExaminer } from '../undone-work/merge-examiner';
import {
  acceptHistoryMerge,
  acceptQueueMerge,
  type MergeCaseRow,
  readMergeCase,
} from './merge-report.queries';
import { buildNotAcceptable, notVerified, remoteMismatch } from './not-verified';

/** How often a report is judged, if the review or its anchor moves while git is asked. Rule B10. */
const JUDGEMENTS_MAX = 3;
/**
 * Longest time in milliseconds for all verifications of a report, so that the service answers before the edge gives up,
 * and for that of its landing, so that time is left to judge the content.
 */
const REPORT_MS = (EDGE_TIMEOUT_SECONDS - 5) * 1_000;
const LANDING_MS = REPORT_MS - 8_000;

/** The caller, and the deadlines for verifying the landing and its content. */
interface Reporter {
  caller: Caller;
  landing: AbortSignal;
  content: AbortSignal;
}

/** A report that has passed every check except git's. */
interface ReportCase {
  review: MergeCaseRow;
  remoteUrl: string;
  repository: string;
}

/**
 * Judges MERGED reports on the review's status, and accepts one only if the repository confirms it. No database
 * connection is held while git is fetched. Spec: API, MERGED report verification; rules B7 to B13.
 */
@Injectable()
export class MergeReportService {
  constructor(
    private readonly database: Database,
    private readonly merges: MergeVerification,
    private readonly later: LaterContent,
    private readonly examiner: MergeExaminer,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @throws NOT_FOUND, INVALID_TRANSITION, INVALID_BODY, MERGE_NOT_VERIFIED, CONFLICT, SERVICE_UNAVAILABLE */
  async report(caller: Caller, reviewId: string, patch: UpdateReviewStatus): Promise<ReviewRow> {
    const times = { landing: AbortSignal.timeout(LANDING_MS), content: AbortSignal.timeout(REPORT_MS) };
    try {
      for (let judgement = 0; judgement < JUDGEMENTS_MAX; judgement++) {
        const merged = await this.judge({ caller, ...times }, reviewId, patch);
        if (merged) return merged;
      }
    } catch (error) {
      throw uniquenessConflict(error) ?? error;
    }
    throw new ApiError('CONFLICT', {
      message: 'The review keeps changing while its merge is verified; report again.',
    });
  }

  /** Judges a report once. @returns undefined if the review or its anchor moved before the result could be applied */
  private async judge(
    reporter: Reporter,
    reviewId: string,
    patch: UpdateReviewStatus,
  ): Promise<ReviewRow | undefined> {
    const { buildId, remoteUrl } = patch;
    const repository = remoteUrl === undefined ? undefined : canonicalRepository(remoteUrl);
    const [review] = await readMergeCase(this.database, reporter.caller, {
      reviewId,
      buildId,
      repository,
    });
    if (!review) throw notFound('review');
    const effect = reviewEffect(review.status, patchTrigger('MERGED', buildId !== undefined));
    if (effect.kind === 'refuse') throw refusalOfMove(review, 'MERGED', effect);
    if (remoteUrl === undefined) throw invalidField('remoteUrl', 'remoteUrl is required to report MERGED.');
    if (repository === undefined) throw remoteMismatch();
    if (review.repository !== null && review.repository !== repository) throw remoteMismatch();
    const report = { review, remoteUrl, repository };
    return review.status === 'MERGE'
      ? this.judgeQueueMerge(reporter, report, buildId!)
      : this.reconcile(reporter, report);
  }

  /** Condition A: an accepted GATE build, its commit on the target, descending from the gated tip. */
  private async judgeQueueMerge(
    { caller, landing, content: contentTime }: Reporter,
    { review, remoteUrl, repository }: ReportCase,
    buildId: string,
  ): Promise<ReviewRow | undefined> {
    const commitId = acceptableCommit(review);
    const anchorCommitId = review.anchor_commit_id ?? undefined;
    const anchor = anchorCommitId && { anchorCommitId };
    const asked = { remoteUrl, commitId, ...anchor };
    const { target_branch: targetBranch, source_branch: sourceBranch } = review;
    const verdict = await caller.aside(() =>
      this.merges.verifyQueueLanding({ caller, until: landing }, { ...asked, targetBranch }),
    );
    if (!verdict.verified) throw notVerified(verdict);
    const content = await caller.aside(() =>
      this.merges.judgeContent({ caller, until: contentTime }, { ...asked, sourceBranch, targetBranch }),
    );
    const { targetTip, commit } = verdict.landing;
    const [merged] = await acceptQueueMerge(this.database, caller, {
      reviewId: review.review_id,
      buildId,
      releaseId: newId(),
      expectedRepository: review.repository,
      repository,
      proof: {
        // The landing has read the commit even if its content could not be judged.
        treeId: commit?.treeId,
        parentCommitId: commit?.parentIds[0],
        ...contentProof(content),
        remoteUrl: fetchAddress(remoteUrl) ?? repository,
        targetTip,
        commitId,
        ...anchor,
        conditions: anchor ? ['A1', 'A2', 'A3'] : ['A1', 'A2'],
      },
    });
    if (merged) this.reportMerge(caller, review.review_id, content);
    if (merged?.release_error) {
      this.log.error(
        { requestId: caller.requestId, reviewId: review.review_id },
        'release of a merge could not be queued',
      );
    }
    return merged;
  }

  /** Condition B: the target's history already has the source's change. */
  private async reconcile(
    { caller, landing, content: contentTime }: Reporter,
    { review, remoteUrl, repository }: ReportCase,
  ): Promise<ReviewRow | undefined> {
    const { target_branch: targetBranch, source_branch: sourceBranch } = review;
    const verdict = await caller.aside(() =>
      this.merges.verifyHistoryLanding({ caller, until: landing }, { remoteUrl, targetBranch, sourceBranch }),
    );
    if (!verdict.verified) throw notVerified(verdict);
    const { targetTip, sourceTip, proof } = verdict.landing;
    const content = await caller.aside(() =>
      this.merges.judgeContent({ caller, until: contentTime }, { remoteUrl, targetTip, sourceTip }),
    );
    const [merged] = await acceptHistoryMerge(this.database, caller, {
      reviewId: review.review_id,
      expectedStatus: review.status,
      expectedRepository: review.repository,
      repository,
      proof: {
        ...contentProof(content),
        remoteUrl: fetchAddress(remoteUrl) ?? repository,
        targetTip,
        sourceTip,
        conditions: [proof === 'ancestor' ? 'B1' : 'B2'],
      },
    });
    if (merged) this.reportMerge(caller, review.review_id, content);
    return merged;
  }

  private reportMerge(caller: Caller, reviewId: string, content: LandedContent): void {
    this.merges.report(caller, reviewId, content);
    if (isNotComputed(content)) this.later.schedule(caller, reviewId);
    this.examiner.schedule(caller);
  }
}

/** Condition A1. An unknown build is answered 404; a build that proves nothing is refused. Rule B8. */
function acceptableCommit(review: MergeCaseRow): string {
  if (review.build_commit_id === null) throw notFound('build');
  const proves =
    review.build_review_id === review.review_id && review.build_kind === 'GATE' && review.build_successful;
  if (!proves) throw buildNotAcceptable();
  return review.build_commit_id;
}
