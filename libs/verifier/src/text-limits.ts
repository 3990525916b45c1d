import type { LineSteps } from './line-steps';

/** The limits under which one verification compares texts. */
export interface TextLimits {
  /** A larger file counts as binary. */
  diffedFileBytes: number;
  /** A file with more lines counts as binary too. */
  diffedFileLines: number;
  /** Most lines that a shortest edit script may insert and delete. */
  diffedLines: number;
  steps: LineSteps;
}
