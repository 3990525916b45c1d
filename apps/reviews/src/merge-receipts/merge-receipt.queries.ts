import type { ReviewStatus } from '@plat/contracts/core';
import type { Database, TenantScope } from '@plat/database';
import type { ContentProof } from '../merge-verifications/content-proof';

/** A row of reviews.get_merge_receipt. */
export interface MergeReceiptRow {
  tenant_id: string;
  review_id: string;
  status: ReviewStatus;
  /** The newest statement, canonical JSON; null before MERGED. */
  statement: string | null;
}

export function findMergeReceipt(
  database: Database,
  scope: TenantScope,
  reviewId: string,
): Promise<MergeReceiptRow[]> {
  return database.find(scope, { name: 'reviews.get_merge_receipt', args: [reviewId] });
}

/** Records a verdict that was computed after the merge. Returns no row when there is one already. */
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

/** The entry of a landing in the sealed log, with the tiles of its proof; salt and fields are null if they were erased. */
export interface ProvenLandingRow {
  leaf_index: string;
  leaf: string;
  salt: Buffer | null;
  /** The statement as it was sealed, canonical JSON. */
  fields: string | null;
  size: string;
  /** The signed checkpoint of that size. */
  note: string | null;
  levels: number[];
  tile_indexes: string[];
  /** Bytes of each tile. */
  lengths: number[];
  /** The hashes of all tiles. */
  tiles: Buffer;
}

/** The newest sealed entry of a landing; no row until it is sealed and signed. */
export function findProvenLanding(
  database: Database,
  scope: TenantScope,
  reviewId: string,
): Promise<ProvenLandingRow[]> {
  return database.find(scope, { name: 'ledger.prove_entry', args: [null, null, reviewId, null] });
}
