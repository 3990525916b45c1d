import { Injectable } from '@nestjs/common';
import { ApiError, notFound } from '@plat/contracts/core';
import type { MergeReceipt, MergeReceiptKeySet, MergeStatement, UndoneWork } from '@plat/contracts/reviews';
import { Database } from '@plat/database';
import type { Caller } from '@plat/service';
import { MergeExaminer } from '../undone-work/merge-examiner';
import { findUndoneWork } from '../undone-work/undone-work.queries';
import { toUndoneWork } from '../undone-work/undone-work.response';
import { LaterContent } from './later-content';
import { toInclusion } from './merge-inclusion';
import { findMergeReceipt, findProvenLanding } from './merge-receipt.queries';
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
    const statement = await this.readStatement(caller, reviewId);
    const jws = await this.keys.sign(statement);
    const [proven] = await findProvenLanding(this.database, caller, reviewId);
    const inclusion = proven && (await toInclusion(proven, statement));
    return { ...statement, jws, inclusion, undoneWork: await this.readUndoneWork(caller, statement) };
  }

  private async readUndoneWork(caller: Caller, { tenantId, reviewId }: MergeStatement): Promise<UndoneWork> {
    const [row] = await findUndoneWork(this.database, caller, reviewId);
    if (!row) throw notFound('review');
    if (row.examined_at === null && tenantId === caller.tenantId) this.examiner.scheduleIfIdle(caller);
    return toUndoneWork(row);
  }

  /** The newest statement of a merge. @throws NOT_FOUND, REVIEW_NOT_MERGED */
  async readStatement(caller: Caller, reviewId: string): Promise<MergeStatement> {
    const [found] = await findMergeReceipt(this.database, caller, reviewId);
    if (!found) throw notFound('review');
    const statement = await this.later.completeStatement(caller, found);
    if (!statement) throw new ApiError('REVIEW_NOT_MERGED', { details: { reviewId, status: found.status } });
    return statement;
  }

  async keySet(): Promise<MergeReceiptKeySet> {
    return { keys: await this.keys.publicKeys() };
  }
}
