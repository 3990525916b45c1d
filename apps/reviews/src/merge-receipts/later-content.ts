import { Injectable } from '@nestjs/common';
import type { MergeStatement } from '@plat/contracts/reviews';
import { Database } from '@plat/database';
import type { Caller } from '@plat/service';
import type { LandedContent } from '@plat/verifier';
import { contentProof } from '../merge-verifications/content-proof';
import { MergeVerification } from '../merge-verifications/merge-verification';
import { findMergeReceipt, type MergeReceiptRow, recordLaterContent } from './merge-receipt.queries';
import { toStatement } from './merge-receipt.response';

/** Milliseconds before each later attempt to judge a merge's content: after the merge, then after each failure. */
const LATER_MS = [5_000, 60_000, 600_000];
/** Longest time of one such attempt in milliseconds, including the wait for its turn. */
const JUDGEMENT_MS = 30_000;

/** Whether the verdict is missing for a reason within this service, so that a later attempt may succeed. */
export const isNotComputed = (content: LandedContent): boolean =>
  content.verdict === 'UNKNOWN' && content.reason === 'not_computed';

/**
 * Computes the content verdict of a merge later, if the verifier had crashed or was overloaded when the merge was
 * verified. The process that accepted the merge tries a few times; if that fails, reading the receipt tries again.
 */
@Injectable()
export class LaterContent {
  constructor(
    private readonly database: Database,
    private readonly merges: MergeVerification,
  ) {}

  /** Does not keep the process alive: if the process ends first, reading the receipt computes the verdict. */
  schedule(caller: Caller, reviewId: string, [next, ...later]: readonly number[] = LATER_MS): void {
    if (next === undefined) return;
    const again = () => this.schedule(caller, reviewId, later);
    setTimeout(() => void this.complete(caller, reviewId).catch(again), next).unref();
  }

  /** @throws Error if the verdict still cannot be computed */
  private async complete(caller: Caller, reviewId: string): Promise<void> {
    const [row] = await findMergeReceipt(this.database, caller, reviewId);
    const statement = row && toStatement(row);
    if (statement === undefined || !lacksContent(statement)) return;
    if (!(await this.judge(caller, statement))) {
      throw new Error('the content of a merge still cannot be judged');
    }
  }

  /** Returns a receipt's statement, computing a missing verdict first. The statement of another tenant stays as it is. */
  async completeStatement(caller: Caller, row: MergeReceiptRow): Promise<MergeStatement | undefined> {
    const statement = toStatement(row);
    if (statement === undefined || !lacksContent(statement) || row.tenant_id !== caller.tenantId) {
      return statement;
    }
    if (!(await caller.aside(() => this.judge(caller, statement)))) return statement;
    const [completed] = await findMergeReceipt(this.database, caller, row.review_id);
    return completed ? toStatement(completed) : statement;
  }

  /** @returns false if the verdict still cannot be computed */
  private async judge(caller: Caller, statement: MergeStatement): Promise<boolean> {
    const question = questionOf(statement);
    if (question === undefined) return true;
    const content = await this.merges.judgeContent(
      { caller, until: AbortSignal.timeout(JUDGEMENT_MS) },
      question,
    );
    if (isNotComputed(content)) return false;
    const recorded = await recordLaterContent(this.database, caller, {
      reviewId: statement.reviewId,
      proof: contentProof(content),
    });
    if (recorded.length > 0) this.merges.report(caller, statement.reviewId, content);
    return true;
  }
}

const lacksContent = ({ contentVerdict, contentReason }: MergeStatement): boolean =>
  contentVerdict === 'UNKNOWN' && contentReason === 'not_computed';

function questionOf(statement: MergeStatement): Parameters<MergeVerification['judgeContent']>[1] | undefined {
  const { remoteUrl, route, sourceBranch, targetBranch, sourceTip, targetTip, commitId, anchorCommitId } =
    statement;
  if (route === 'reconciled') {
    return sourceTip === undefined ? undefined : { remoteUrl, targetTip, sourceTip };
  }
  return commitId === undefined
    ? undefined
    : { remoteUrl, commitId, sourceBranch, targetBranch, anchorCommitId };
}
