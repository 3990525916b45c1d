import { type LineChange, lineChanges } from '../merge/line-changes';
import { diffLines, type Hunk } from '../merge/line-diff';
import { mergeChanges } from '../merge/merge-lines';
import { countLines, isSameLines, isText, splitLines } from '../merge/text';
import type { TextLimits } from '../text-limits';

/** Whether a version of a file has a change. `open`: only a merge can determine it. */
export type Carrying = 'carried' | 'open' | 'lacking';

/**
 * The change of a source branch to one text file. Another version of the file has the change too if merging the change
 * into it changes nothing. A diff may pair repeated lines (`}`, blank ones) in several ways; the comparison holds for
 * any of them, because the merge uses the same pairing.
 */
export class TextChange {
  /** Lines of the source that the base lacks, with their counts. */
  private readonly newLines: ReadonlyMap<string, number>;
  private mergedChanges?: readonly LineChange[] | undefined;
  private hunks?: readonly Hunk[] | 'too_many';

  private constructor(
    private readonly base: readonly string[],
    private readonly source: readonly string[],
    private readonly limits: TextLimits,
  ) {
    const known = new Set(base);
    this.newLines = countLines(source.filter((line) => !known.has(line)));
  }

  /** @returns undefined if either is not text */
  static between(base: Buffer, source: Buffer, limits: TextLimits): TextChange | undefined {
    if (!isText(base, limits) || !isText(source, limits)) return undefined;
    return new TextChange(splitLines(base), splitLines(source), limits);
  }

  /** Compares without a merge. */
  carriedBy(other: Buffer): Carrying {
    if (!isText(other, this.limits)) return 'lacking';
    const lines = splitLines(other);
    // Cheaper than a diff, and it rules out nearly every version older than the landing.
    const counts = countLines(lines);
    for (const [line, count] of this.newLines) if ((counts.get(line) ?? 0) < count) return 'lacking';
    return this.hasEveryHunk(lines) ? 'carried' : 'open';
  }

  /**
   * Whether a merge of the change into this version changes nothing, or a merge into the version before it yields this
   * one.
   */
  isMergedIn(other: Buffer, before?: Buffer): boolean {
    const lines = splitLines(other);
    if (this.isMerge(lines, lines)) return true;
    return before !== undefined && isText(before, this.limits) && this.isMerge(splitLines(before), lines);
  }

  /** Whether merging the change into `ours` yields `expected`. */
  private isMerge(ours: readonly string[], expected: readonly string[]): boolean {
    const { steps } = this.limits;
    this.mergedChanges ??= lineChanges(this.base, this.source, steps);
    const theirs = this.mergedChanges;
    const own = theirs && lineChanges(this.base, ours, steps);
    const merged = own && mergeChanges({ ours: own, theirs }, { ours, theirs: this.source }).lines;
    return merged !== undefined && isSameLines(merged, expected);
  }

  /**
   * Whether the version has every hunk of the change, identical and at the same place of the base. This is faster than
   * a merge, and it accepts lines that two sides inserted next to each other, for which a merge reports a conflict.
   */
  private hasEveryHunk(lines: readonly string[]): boolean {
    const { diffedLines: editsMax, steps } = this.limits;
    this.hunks ??= diffLines(this.base, this.source, { editsMax, steps }) ?? 'too_many';
    const carried = this.hunks === 'too_many' ? undefined : diffLines(this.base, lines, { editsMax, steps });
    if (carried === undefined || this.hunks === 'too_many') return false;
    const keys = new Set(carried.map(keyOf));
    return this.hunks.every((hunk) => keys.has(keyOf(hunk)));
  }
}

function keyOf({ start, deleted, inserted }: Hunk): string {
  return `${start} ${deleted} ${inserted.join('')}`;
}
