/**
 * git's own verdict on a landing, in the words of the service's. UNDECIDED: the landing is not git's merge, and git does
 * not show whether it is sound. NOT_COMPUTED: git says nothing of it.
 */
export interface MergedAgain {
  verdict: 'EXACT' | 'SAME_CHANGE' | 'BY_HAND' | 'DIVERGENT' | 'UNDECIDED' | 'NOT_COMPUTED';
  detail: string;
}

export const notComputed = (detail: string): MergedAgain => ({ verdict: 'NOT_COMPUTED', detail });

/** Whether git finds the reviewed change itself, in one commit or in several. */
export const isSound = ({ verdict }: MergedAgain): boolean =>
  verdict === 'EXACT' || verdict === 'SAME_CHANGE';

/** Most paths or places that a verdict names. */
const NAMED_MAX = 5;

/** A list for a person, cut after a few entries. */
export function nameSome(all: readonly string[]): string {
  const left = all.length - NAMED_MAX;
  return all.slice(0, NAMED_MAX).join(', ') + (left > 0 ? ` and ${left} more` : '');
}
