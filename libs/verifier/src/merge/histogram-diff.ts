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
      for (let at = region.base; at < region.baseEnd; at += 1) this.count[this.base[at] as number] = 0;
      this.budget.spend(this.steps - before);
    }
  }

  private findRun(region: Region): Region | 'nothing_common' | 'no_rare_line' | 'too_many_steps' {
    const best: { run?: Region; rarity: number } = { rarity: OCCURRENCES_MAX + 1 };
    let common = false;
    for (let at = region.changed; at < region.changedEnd;) {
      if (this.steps > STEPS_MAX) return 'too_many_steps';
      const count = this.countOf(this.changed[at]);
      common ||= count > 0;
      at = count === 0 || count > best.rarity ? at + 1 : this.tryRuns(region, at, best);
      this.steps += 1;
    }
    if (common && best.rarity > OCCURRENCES_MAX) return 'no_rare_line';
    return best.run ?? 'nothing_common';
  }

  private indexBase({ base, baseEnd }: Region): void {
    for (let at = baseEnd - 1; at >= base; at -= 1) {
      const line = this.base[at] as number;
      const count = this.countOf(line);
      this.next[at] = count === 0 ? -1 : (this.first[line] as number);
      this.count[line] = count + 1;
      this.first[line] = at;
    }
    this.steps += baseEnd - base;
  }

  private countOf(line: number | undefined): number {
    return this.count[line as number] as number;
  }

  /** Extends the line at `at` to a run at each of its occurrences in the base. @returns the line to continue at */
  private tryRuns(region: Region, at: number, best: { run?: Region; rarity: number }): number {
    const line = this.changed[at] as number;
    let goOn = at + 1;
    for (let place = this.first[line] as number; place >= 0;) {
      this.steps += 1;
      const { run, rarity } = this.extend(region, { place, at, rarity: this.countOf(line) });
      goOn = Math.max(goOn, run.changedEnd);
      // A run of one line counts as length 1 and wins only by being rarer.
      const longest = best.run === undefined ? 1 : best.run.baseEnd - best.run.base;
      if (run.baseEnd - run.base > longest || rarity < best.rarity) {
        best.run = run;
        best.rarity = rarity;
      }
      place = this.next[place] as number;
      while (place >= 0 && place < run.baseEnd) place = this.next[place] as number;
    }
    return goOn;
  }

  private extend(
    region: Region,
    from: { place: number; at: number; rarity: number },
  ): { run: Region; rarity: number } {
    let { rarity } = from;
    const run = { base: from.place, baseEnd: from.place + 1, changed: from.at, changedEnd: from.at + 1 };
    const count = (place: number) => {
      this.steps += 1;
      if (rarity > 1) rarity = Math.min(rarity, this.countOf(this.base[place]));
    };
    while (
      run.base > region.base &&
      run.changed > region.changed &&
      this.same(run.base - 1, run.changed - 1)
    ) {
      run.base -= 1;
      run.changed -= 1;
      count(run.base);
    }
    while (
      run.baseEnd < region.baseEnd &&
      run.changedEnd < region.changedEnd &&
      this.same(run.baseEnd, run.changedEnd)
    ) {
      count(run.baseEnd);
      run.baseEnd += 1;
      run.changedEnd += 1;
    }
    return { run, rarity };
  }

  private same(base: number, changed: number): boolean {
    return this.base[base] === this.changed[changed];
  }
}
