import type { LineSteps } from './line-steps';

/** What texts of one verification are compared under. */
export interface TextLimits {
  /** A larger file counts as binary. */
  diffedFileBytes: number;
  /** Lines that a shortest edit script may insert and delete. */
  diffedLines: number;
  steps: LineSteps;
}

/** git's own test: a file is binary when there is a NUL among its first bytes. */
const BINARY_TEST_BYTES = 8_000;

export function isText(content: Buffer, { diffedFileBytes }: TextLimits): boolean {
  return content.length <= diffedFileBytes && !content.subarray(0, BINARY_TEST_BYTES).includes(0);
}

/** Lines with their newline: a last line without one is another line. Bytes are kept, whatever their encoding. */
export function splitLines(content: Buffer): string[] {
  return content.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

export function isSameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
