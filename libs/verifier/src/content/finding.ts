import type { ContentFinding, ContentReason } from '@plat/contracts/core';

/** A place where a landing is not the merge, and what that makes of the landing. */
export interface Deviation extends ContentFinding {
  reason: Extract<ContentReason, 'source_change_missing' | 'target_change_undone' | 'extra_content'>;
  /** Neither side has changed the place since the branches parted. */
  isElsewhere?: boolean;
}

/** The worst first: what is missing, then what is undone, then what nobody reviewed. */
const REASONS = ['source_change_missing', 'target_change_undone', 'extra_content'] as const;

/** @returns undefined for none */
export function worstReason(deviations: readonly Deviation[]): Deviation['reason'] | undefined {
  return REASONS.find((reason) => deviations.some((each) => each.reason === reason));
}

/** Lines counted from 0, the end exclusive, as a person counts them. */
export function linesIn(
  file: NonNullable<ContentFinding['in']>,
  { start, end }: { start: number; end: number },
): Pick<ContentFinding, 'in' | 'firstLine' | 'lastLine'> {
  return { in: file, firstLine: start + 1, lastLine: Math.max(start + 1, end) };
}
