import type { TextLimits } from '../text-limits';

/** git's own test: a file is binary if there is a NUL among its first bytes. */
const BINARY_TEST_BYTES = 8_000;
const NEWLINE = 0x0a;

export function isText(content: Buffer, limits: TextLimits): boolean {
  return !isTooLarge(content, limits) && !content.subarray(0, BINARY_TEST_BYTES).includes(0);
}

/** Whether a file counts as binary because of its size. */
export function isTooLarge(content: Buffer, { diffedFileBytes, diffedFileLines }: TextLimits): boolean {
  if (content.length > diffedFileBytes) return true;
  let lines = 0;
  for (let at = 0; content.length - at > diffedFileLines - lines; lines += 1) {
    if (lines === diffedFileLines) return true;
    const end = content.indexOf(NEWLINE, at);
    if (end < 0) return false;
    at = end + 1;
  }
  return false;
}

/** Lines with their newline: a last line without one is another line. Bytes are kept in any encoding. */
export function splitLines(content: Buffer): string[] {
  return content.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

export function isSameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

/**
 * The first place of consecutive lines at or after a line of a text. One pass (Knuth, Morris and Pratt).
 * @returns undefined if there is none
 */
export function findRun(text: readonly string[], run: readonly string[], from = 0): number | undefined {
  if (run.length === 0) return from;
  const fallbacks = [0];
  const alike = (length: number, line: string | undefined) => {
    let matched = length;
    while (matched > 0 && run[matched] !== line) matched = fallbacks[matched - 1] as number;
    return run[matched] === line ? matched + 1 : matched;
  };
  for (let index = 1; index < run.length; index += 1) {
    fallbacks.push(alike(fallbacks[index - 1] as number, run[index]));
  }
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    matched = alike(matched, text[at]);
    if (matched === run.length) return at + 1 - matched;
  }
  return undefined;
}

/** Counts how often each line occurs. */
export function countLines(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
