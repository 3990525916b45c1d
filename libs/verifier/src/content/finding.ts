import type { ContentFinding, ContentReason } from '@plat/contracts/core';

/** A place where a landing differs from the merge, and the reason that follows for the landing. */
export interface Deviation extends ContentFinding {
  reason: Extract<ContentReason, (typeof REASONS)[number]>;
}

/** The kinds from the worst to the least: missing, undone, added, laid out otherwise. */
export const REASONS = ['source_change_missing', 'target_change_undone', 'extra_content', 'layout'] as const;

/** Converts lines counted from 0 with an exclusive end to lines counted from 1 with an inclusive end. */
export function linesIn(
  file: NonNullable<ContentFinding['in']>,
  { start, end }: { start: number; end: number },
): Pick<ContentFinding, 'in' | 'firstLine' | 'lastLine'> {
  return { in: file, firstLine: start + 1, lastLine: Math.max(start + 1, end) };
}
