/**
 * git's own verdict on a landing, in the words of the service's. UNDECIDED if git cannot determine it, such as for a
 * conflict of renames.
 */
export interface MergedAgain {
  verdict: 'EXACT' | 'SAME_CHANGE' | 'BY_HAND' | 'DIVERGENT' | 'UNDECIDED' | 'NOT_COMPUTED';
  detail: string;
}

/** Most paths or places that a verdict names. */
const NAMED_MAX = 5;

/** A list for a person, cut after a few entries. */
export function nameSome(all: readonly string[]): string {
  const left = all.length - NAMED_MAX;
  return all.slice(0, NAMED_MAX).join(', ') + (left > 0 ? ` and ${left} more` : '');
}
