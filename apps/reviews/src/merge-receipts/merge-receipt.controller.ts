import { Controller } from '@nestjs/common';
import { MergeReceipt, MergeReceiptKeySet } from '@plat/contracts/reviews';
import { type Caller, CurrentCaller, PathId, Route } from '@plat/service';
import { MergeReceiptService } from './merge-receipt.service';

@Controller()
export class MergeReceiptController {
  constructor(private readonly receipts: MergeReceiptService) {}

  @Route('getMergeReceipt', { response: MergeReceipt })
  get(@CurrentCaller() caller: Caller, @PathId('review_id') reviewId: string): Promise<MergeReceipt> {
    return this.receipts.get(caller, reviewId);
  }

  @Route('listMergeReceiptKeys', { response: MergeReceiptKeySet })
  listKeys(): Promise<MergeReceiptKeySet> {
    return this.receipts.keySet();
  }
}
