import type { ReviewStatus } from '@plat/contracts/core';

/** The meaning of each status, in the contract's words. Spec: API, States and transitions. */
export const REVIEW_STATUS_MEANING: Record<ReviewStatus, string> = {
  OPEN: 'Exists; no successful build yet.',
  FAILED: 'The latest build failed.',
  READY: 'The latest build succeeded; waiting in the queue.',
  MERGE: 'Promoted to the head of its queue.',
  MERGED: 'A verified merge landed on the target branch.',
  CLOSED: 'Closed without merge (abandoned).',
};
