import type { MergeReceipt } from '@plat/api-client';

/** The signed and sealed part of a receipt. Undone work is advice, which the platform finds after the merge. */
export type ReceiptStatement = Omit<MergeReceipt, 'jws' | 'inclusion' | 'undoneWork'>;

export function statementOf({
  jws: _jws,
  inclusion: _inclusion,
  undoneWork: _undoneWork,
  ...statement
}: MergeReceipt): ReceiptStatement {
  return statement;
}
