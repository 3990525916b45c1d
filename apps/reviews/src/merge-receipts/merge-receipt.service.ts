import { Injectable } from '@nestjs/common';
import { ApiError, notFound } from '@plat/contracts/core';
import type { MergeReceipt, MergeReceiptKeySet, UndoneWork } from '@plat/contracts/reviews';
import { Database } from '@plat/database';
import type { Caller } from '@plat/service';
import { MergeExaminer } from '../undone-work/merge-examiner';
import { findUndoneWork } from '../undone-work/undone-work.queries';
import { toUndoneWork } from '../undone-work/undone-work.response';
import { LaterContent } from './later-content';
import { toInclusion } from './merge-inclusion';
import { findMergeReceipt, findProvenLanding, type MergeReceiptRow } from './merge-receipt.queries';
import { ReceiptKeys } from './receipt-keys';

/** Signs receipts when they are read, so that a new key signs old merges too and the database holds no secret. */
@Injectable()
export class MergeReceiptService {
  constructor(
    private readonly database: Database,
    private readonly keys: ReceiptKeys,
    private readonly later: LaterContent,
    private readonly examiner: MergeExaminer,
  ) {}

  /** @throws NOT_FOUND, REVIEW_NOT_MERGED, NOT_IMPLEMENTED */
  async get(caller: Caller, reviewId: string): Promise<MergeReceipt> {
    const [found] = await findMergeReceipt(this.database, caller, reviewId);
    if (!found) throw notFound('review');
    const statement = await this.later.completeStatement(caller, found);
    if (!statement) throw new ApiError('REVIEW_NOT_MERGED', { details: { reviewId, status: found.status } });
    const jws = await this.keys.sign(statement);
    const [proven] = await findProvenLanding(this.database, caller, reviewId);
    const inclusion = proven && (await toInclusion(proven, statement));
    return { ...statement, jws, inclusion, undoneWork: await this.readUndoneWork(caller, found) };
  }

  private async readUndoneWork(
    caller: Caller,
    { tenant_id: tenantId, review_id: reviewId }: MergeReceiptRow,
  ): Promise<UndoneWork> {
    const [row] = await findUndoneWork(this.database, caller, reviewId);
    if (!row) throw notFound('review');
    if (row.examined_at === null && tenantId === caller.tenantId) this.examiner.scheduleIfIdle(caller);
    return toUndoneWork(row);
  }

  async keySet(): Promise<MergeReceiptKeySet> {
    return { keys: await this.keys.publicKeys() };
  }
}
