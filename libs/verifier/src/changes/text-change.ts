import { diffLines, type Hunk } from './line-diff';

export interface TextLimits {
  diffedFileBytes: number;
  diffedLines: number;
}

/** git's own test: a file is binary when there is a NUL among its first bytes. */
const BINARY_TEST_BYTES = 8_000;

/** What a source branch does to one text file, and whether another version of the file has it too. */
export class TextChange {
  private readonly insertedCounts: Map<string, number>;

  private constructor(
    private readonly base: readonly string[],
    private readonly hunks: readonly Hunk[],
    private readonly limits: TextLimits,
  ) {
    this.insertedCounts = countLines(hunks.flatMap(({ inserted }) => inserted));
  }

  /** @returns undefined when one of the two is no text, or they differ by too much to compare lines */
  static between(base: Buffer, source: Buffer, limits: TextLimits): TextChange | undefined {
    if (!isText(base, limits) || !isText(source, limits)) return undefined;
    const baseLines = splitLines(base);
    const hunks = diffLines(baseLines, splitLines(source), limits.diffedLines);
    return hunks && new TextChange(baseLines, hunks, limits);
  }

  /** Whether every hunk of the change occurs, identical and at the same place of the base, in what `other` changes. */
  isCarriedBy(other: Buffer): boolean {
    if (!isText(other, this.limits)) return false;
    const lines = splitLines(other);
    const counts = countLines(lines);
    // Cheaper than a diff, and it rules out nearly every version from before the landing.
    for (const [line, count] of this.insertedCounts) if ((counts.get(line) ?? 0) < count) return false;
    const carried = diffLines(this.base, lines, this.limits.diffedLines);
    if (carried === undefined) return false;
    const keys = new Set(carried.map(keyOf));
    return this.hunks.every((hunk) => keys.has(keyOf(hunk)));
  }
}

export function isText(content: Buffer, { diffedFileBytes }: TextLimits): boolean {
  return content.length <= diffedFileBytes && !content.subarray(0, BINARY_TEST_BYTES).includes(0);
}

/** Lines with their newline: a last line without one is another line. Bytes are kept, whatever their encoding. */
export function splitLines(content: Buffer): string[] {
  return content.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function countLines(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function keyOf({ start, deleted, inserted }: Hunk): string {
  return `${start} ${deleted} ${inserted.join('')}`;
}
