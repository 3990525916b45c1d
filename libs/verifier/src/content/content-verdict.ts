import type { ContentReason, ContentVerdict } from '@plat/contracts/core';

/** How one set of trees was judged; `reason` says why it is not EXACT. */
export type Judgement =
  { verdict: 'EXACT' } | { verdict: Exclude<ContentVerdict, 'EXACT'>; reason: ContentReason };

/** The verdict on a landing, with the commits it is about as far as they could be read. Ids are 40 hex digits. */
export type LandedContent = Judgement & {
  sourceTip?: string;
  commitId?: string;
  /** The first parent; absent for a commit without parents. */
  parentId?: string;
  treeId?: string;
};

export const unknown = (reason: ContentReason): Judgement => ({ verdict: 'UNKNOWN', reason });
