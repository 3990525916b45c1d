import type { LineSteps } from '../line-steps';
import { diffLines } from './line-diff';

/** Lines that occur more often than this in the base are no anchors; without anchors a shortest edit script decides. */
const OCCURRENCES_MAX = 64;

/** Lines read until two texts count as too tangled to merge, even if the verification may read more. */
const STEPS_MAX = 20_000_000;

/** The lines of each side without a counterpart on the other: 1 for such a line. */
export interface ChangedLines {
  base: Uint8Array;
  changed: Uint8Array;
}

/** Lines as numbers below a count; equal lines have the same number. */
interface NumberedTexts {
  base: Int32Array;
  changed: Int32Array;
  distinct: number;
}

interface Region {
  base: number;
  baseEnd: number;
  changed: number;
  changedEnd: number;
}

/**
 * Computes the histogram diff that git's merge uses: it splits texts at the longest common run of the rarest lines, and
 * both halves likewise. A shortest edit script often pairs other lines, and would then merge differently.
 *
 * @returns undefined if the texts are too tangled
 * @throws RemoteFailure remote_too_large
 */
export function histogramDiff(texts: NumberedTexts, steps: LineSteps): ChangedLines | undefined {
  const { base, changed } = texts;
  const flags = { base: new Uint8Array(base.length), changed: new Uint8Array(changed.length) };
  const search = new CommonRunSearch(texts, steps);
  const whole = { base: 0, baseEnd: base.length, changed: 0, changedEnd: changed.length };
  const regions = [whole];
  for (let region = regions.pop(); region !== undefined; region = regions.pop()) {
    if (isEmpty(region)) {
      mark(flags, region);
      continue;
    }
    const run = search.find(region);
    if (run === 'too_many_steps') return undefined;
    if (run === 'nothing_common') {
      mark(flags, region);
    } else if (run === 'no_rare_line') {
      if (!markByEditScript(flags, { ...texts, steps }, region)) return undefined;
    } else {
      regions.push({ ...region, baseEnd: run.base, changedEnd: run.changed });
      regions.push({ ...region, base: run.baseEnd, changed: run.changedEnd });
    }
  }
  return flags;
}

const isEmpty = ({ base, baseEnd, changed, changedEnd }: Region): boolean =>
  base >= baseEnd || changed >= changedEnd;

function mark(flags: ChangedLines, { base, baseEnd, changed, changedEnd }: Region): void {
  flags.base.fill(1, base, baseEnd);
  flags.changed.fill(1, changed, changedEnd);
}

function markByEditScript(
  flags: ChangedLines,
  texts: NumberedTexts & { steps: LineSteps },
  { base, baseEnd, changed, changedEnd }: Region,
): boolean {
  const lines = [
    Array.from(texts.base.subarray(base, baseEnd)),
    Array.from(texts.changed.subarray(changed, changedEnd)),
  ] as const;
  const editsMax = baseEnd - base + changedEnd - changed;
  const hunks = diffLines(...lines, { editsMax, steps: texts.steps });
  if (hunks === undefined) return false;
  let shift = changed - base;
  for (const { start, deleted, inserted } of hunks) {
    const first = base + start;
    flags.base.fill(1, first, first + deleted);
    flags.changed.fill(1, first + shift, first + shift + inserted.length);
    shift += inserted.length - deleted;
  }
  return true;
}

/** A run of lines that both sides have, and the count of its rarest line in the region's base. */
interface Run extends Region {
  rarity: number;
}

/** A run that any better one replaces. */
const noRun = (): Run => ({ base: 0, baseEnd: 1, changed: 0, changedEnd: 1, rarity: OCCURRENCES_MAX + 1 });

/** Finds the run of lines at which a region is split. */
class CommonRunSearch {
  private steps = 0;
  /** The next occurrence of the same line in the region's base; -1 after the last. */
  private readonly next: Int32Array;
  /** For each line, its count in the region's base and its first occurrence. All entries are 0 between two searches. */
  private readonly count: Int32Array;
  private readonly first: Int32Array;
  private readonly base: Int32Array;
  private readonly changed: Int32Array;
  private best = noRun();

  constructor(
    { base, changed, distinct }: NumberedTexts,
    private readonly budget: LineSteps,
  ) {
    this.base = base;
    this.changed = changed;
    this.next = new Int32Array(base.length);
    this.count = new Int32Array(distinct);
    this.first = new Int32Array(distinct);
  }

  find(region: Region): Region | 'nothing_common' | 'no_rare_line' | 'too_many_steps' {
    const before = this.steps;
    try {
      this.indexBase(region);
      return this.findRun(region);
    } finally {
      const { base, count } = this;
      for (let at = region.base; at < region.baseEnd; at += 1) count[base[at] as number] = 0;
      this.budget.spend(this.steps - before);
    }
  }

  private findRun(region: Region): Region | 'nothing_common' | 'no_rare_line' | 'too_many_steps' {
    const { changed, count } = this;
    this.best = noRun();
    let common = false;
    for (let at = region.changed; at < region.changedEnd;) {
      if (this.steps > STEPS_MAX) return 'too_many_steps';
      const occurrences = count[changed[at] as number] as number;
      common ||= occurrences > 0;
      at = occurrences === 0 || occurrences > this.best.rarity ? at + 1 : this.tryRuns(region, at);
      this.steps += 1;
    }
    if (!common) return 'nothing_common';
    return this.best.rarity > OCCURRENCES_MAX ? 'no_rare_line' : { ...this.best };
  }

  private indexBase({ base: start, baseEnd }: Region): void {
    const { base, next, count, first } = this;
    for (let at = baseEnd - 1; at >= start; at -= 1) {
      const line = base[at] as number;
      const occurrences = count[line] as number;
      next[at] = occurrences === 0 ? -1 : (first[line] as number);
      count[line] = occurrences + 1;
      first[line] = at;
    }
    this.steps += baseEnd - start;
  }

  /** Extends the line at `at` to a run at each of its occurrences in the base. @returns the line to continue at */
  private tryRuns(region: Region, at: number): number {
    const { next } = this;
    let goOn = at + 1;
    for (let place = this.first[this.changed[at] as number] as number; place >= 0;) {
      const end = this.extend(region, place, at);
      goOn = Math.max(goOn, at + end - place);
      place = next[place] as number;
      while (place >= 0 && place < end) place = next[place] as number;
    }
    return goOn;
  }

  /**
   * Finds the longest run around a line of the base that equals one of the changed text, and keeps it if it is the best.
   *
   * @returns its end in the base
   */
  private extend(region: Region, place: number, at: number): number {
    const { base, changed, count, best } = this;
    let rarity = count[base[place] as number] as number;
    let start = place;
    for (let other = at; start > region.base && other > region.changed;) {
      other -= 1;
      const line = base[start - 1] as number;
      if (line !== changed[other]) break;
      start -= 1;
      if (rarity > 1) rarity = Math.min(rarity, count[line] as number);
    }
    let end = place + 1;
    for (let other = at + 1; end < region.baseEnd && other < region.changedEnd; other += 1) {
      const line = base[end] as number;
      if (line !== changed[other]) break;
      end += 1;
      if (rarity > 1) rarity = Math.min(rarity, count[line] as number);
    }
    this.steps += end - start;
    // A run of one line counts as length 1 and wins only by being rarer.
    if (end - start > best.baseEnd - best.base || rarity < best.rarity) {
      const [before, behind] = [at - (place - start), at + (end - place)];
      this.best = { base: start, baseEnd: end, changed: before, changedEnd: behind, rarity };
    }
    return end;
  }
}
