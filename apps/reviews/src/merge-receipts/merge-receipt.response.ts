import { arrange } from '@plat/contracts/fields';
import { MergeStatement } from '@plat/contracts/reviews';
import type { MergeReceiptRow } from './merge-receipt.queries';

/**
 * The statement that is signed, its fields in the order of the contract. The same row always gives the same bytes, and
 * Ed25519 the same signature over them.
 *
 * @returns undefined before MERGED
 */
export function toStatement({ statement }: MergeReceiptRow): MergeStatement | undefined {
  return statement === null ? undefined : arrange(MergeStatement, JSON.parse(statement) as MergeStatement);
}
