import { lineChanges, type LineChange } from '../merge/line-changes';
import { mergeChanges } from '../merge/merge-lines';
import { diffLines, type Hunk } from '../merge/line-diff';
import { countLines, isSameLines, isText, splitLines, type TextLimits } from '../merge/text';

/** Whether a version of a file has a change. `open`: only a merge can tell. */
export type Carrying = 'carried' | 'open' | 'lacking';

/**
 * What a source branch does to one text file, and whether another version of the file has it too: merging the change
 * into it changes nothing. Where a diff pairs repeated lines (`}`, blank ones) in one of several ways, this holds
 * whichever it chose, since it pairs those of the merge.
 */
export class TextChange {
  /** Lines of the source that the base has none of, and how often. */
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

  /** @returns undefined when one of the two is no text */
  static between(base: Buffer, source: Buffer, limits: TextLimits): TextChange | undefined {
    if (!isText(base, limits) || !isText(source, limits)) return undefined;
    return new TextChange(splitLines(base), splitLines(source), limits);
  }

  /** What can be told without a merge. */
  carriedBy(other: Buffer): Carrying {
    if (!isText(other, this.limits)) return 'lacking';
    const lines = splitLines(other);
    // Cheaper than a diff, and it rules out nearly every version from before the landing.
    const counts = countLines(lines);
    for (const [line, count] of this.newLines) if ((counts.get(line) ?? 0) < count) return 'lacking';
    return this.hasEveryHunk(lines) ? 'carried' : 'open';
  }

  /** Whether merging the change into a version changes nothing, or makes this version of the one before it. */
  isMergedIn(other: Buffer, before?: Buffer): boolean {
    const lines = splitLines(other);
    if (this.isMerge(lines, lines)) return true;
    return before !== undefined && isText(before, this.limits) && this.isMerge(splitLines(before), lines);
  }

  /** Whether the merge of the change into `ours` is `expected`. */
  private isMerge(ours: readonly string[], expected: readonly string[]): boolean {
    const { steps } = this.limits;
    this.mergedChanges ??= lineChanges(this.base, this.source, steps);
    const theirs = this.mergedChanges;
    const own = theirs && lineChanges(this.base, ours, steps);
    const merged = own && mergeChanges({ ours: own, theirs }, { ours, theirs: this.source }).lines;
    return merged !== undefined && isSameLines(merged, expected);
  }

  /**
   * Every hunk of the change, identical and at the same place of the base. This quick way to yes also knows lines
   * that two sides inserted next to each other, which a merge takes for a contradiction.
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
