/** How many of the last merges an estimate is computed from at most, and at least. */
export const BASIS_MAX = 30;
export const BASIS_MIN = 5;

/** The quantiles of a normal distribution below which a tenth and nine tenths lie, in standard deviations. */
const TENTH = 1.2816;

/** A merge through a queue. Times are milliseconds since the epoch. */
export interface Merge {
  readyAt: number;
  promotedAt: number;
  mergedAt: number;
}

/** The place of a review in its queue. */
export interface Place {
  /** Merges until it is MERGED: one each for those ahead, for the slot if it is held, and for the review itself. */
  turns: number;
  /** When the review whose turn it is entered the queue: that of the slot, else the head. */
  turnReadyAt: number;
}

export interface Estimate {
  earliest: number;
  likely: number;
  latest: number;
  /** How many merges it is computed from. */
  basis: number;
}

export type Estimated = Estimate | { unavailable: 'TOO_FEW_MERGES' | 'OVERDUE' };

/**
 * Estimates when a review will be MERGED. A turn is the time that the queue took for a merge: from the merge before, or
 * from the entry of the review if that was later, to the merge. Reviews that failed in between are part of it. The turns
 * to come are taken to be independent and like the last ones; the present one, like those that took longer than it has
 * taken so far. Their sum is taken to be log-normal with the mean and variance that follow.
 *
 * @param merges the newest first
 */
export function estimate(now: number, merges: readonly Merge[], { turns, turnReadyAt }: Place): Estimated {
  const past = turnsOf(merges);
  if (past.length < BASIS_MIN) return { unavailable: 'TOO_FEW_MERGES' };
  const taken = Math.max(now - Math.max(turnReadyAt, merges[0]!.mergedAt), 0);
  const longer = past.filter((turn) => turn > taken);
  if (longer.length === 0) return { unavailable: 'OVERDUE' };
  const [present, further] = [momentsOf(longer), momentsOf(past)];
  const mean = present.mean - taken + (turns - 1) * further.mean;
  const variance = present.variance + (turns - 1) * further.variance;
  const spread = Math.sqrt(Math.log1p(variance / mean ** 2));
  const centre = Math.log(mean) - spread ** 2 / 2;
  const at = (deviations: number): number => now + Math.exp(centre + deviations * spread);
  return { earliest: at(-TENTH), likely: at(0), latest: at(TENTH), basis: past.length };
}

/** The turns of the last merges, the newest first, in milliseconds. */
function turnsOf(merges: readonly Merge[]): number[] {
  return merges
    .slice(0, BASIS_MAX)
    .map(({ readyAt, mergedAt }, n) => mergedAt - Math.max(readyAt, merges[n + 1]?.mergedAt ?? readyAt));
}

function momentsOf(values: readonly number[]): { mean: number; variance: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, variance };
}

/** A merge and, where it is known, the place of its review when it entered the queue. */
export interface JudgedMerge extends Merge {
  found?: Place | undefined;
}

export interface EstimateErrors {
  estimates: number;
  /** Median distance of the likely time from the merge, in milliseconds. */
  medianMs: number;
  /** How many merges were between the earliest and the latest time. */
  withinRange: number;
}

/**
 * Compares what would have been estimated when each review entered, by the merges until then, with what happened.
 * Undefined if no estimate was available.
 *
 * @param merges the newest first
 */
export function estimateErrors(merges: readonly JudgedMerge[]): EstimateErrors | undefined {
  const judged = merges.flatMap(({ readyAt, mergedAt, found }) => {
    if (found === undefined) return [];
    const known = merges.filter((earlier) => earlier.mergedAt < readyAt);
    const said = estimate(readyAt, known, found);
    if ('unavailable' in said) return [];
    const within = said.earliest <= mergedAt && mergedAt <= said.latest;
    return [{ error: Math.abs(said.likely - mergedAt), within }];
  });
  if (judged.length === 0) return undefined;
  return {
    estimates: judged.length,
    medianMs: quantile(
      judged.map(({ error }) => error),
      0.5,
    ),
    withinRange: judged.filter(({ within }) => within).length,
  };
}

/** A quantile of values, between two of them by their distance. The values must not be empty. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return below + (above - below) * (place - Math.floor(place));
}
