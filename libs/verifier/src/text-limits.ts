import type { LineSteps } from './line-steps';

/** What texts of one verification are compared under. */
export interface TextLimits {
  /** A larger file counts as binary. */
  diffedFileBytes: number;
  /** So does one with more lines. */
  diffedFileLines: number;
  /** Lines that a shortest edit script may insert and delete. */
  diffedLines: number;
  steps: LineSteps;
}
