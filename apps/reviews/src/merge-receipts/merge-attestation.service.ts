import { Injectable } from '@nestjs/common';
import { ApiError, receiptAttestation, summaryAttestation } from '@plat/contracts/core';
import type { MergeAttestation } from '@plat/contracts/reviews';
import type { Caller } from '@plat/service';
import { MergeReceiptService } from './merge-receipt.service';
import { ReceiptKeys } from './receipt-keys';

/** Signs the attestations of a merge when they are read, by the key of receipts. */
@Injectable()
export class MergeAttestationService {
  constructor(
    private readonly receipts: MergeReceiptService,
    private readonly keys: ReceiptKeys,
  ) {}

  /** @throws NOT_FOUND, REVIEW_NOT_MERGED, LANDED_COMMIT_UNKNOWN, NOT_IMPLEMENTED */
  async get(caller: Caller, reviewId: string): Promise<MergeAttestation> {
    const merge = await this.receipts.readStatement(caller, reviewId);
    const key = await this.keys.signingKey();
    const receipt = receiptAttestation(merge);
    if (receipt === undefined) throw new ApiError('LANDED_COMMIT_UNKNOWN', { details: { reviewId } });
    const summary = summaryAttestation(merge, key.id);
    return { receipt: key.seal(receipt), summary: summary && key.seal(summary) };
  }
}
