import { join } from 'node:path';

/** One part of the benchmark: `npm run bench -- <name>`. */
export interface Part {
  /** One line for the list of parts. */
  summary: string;
  /** The options that it takes, a line each. Absent if there are none. */
  options?: string;
  /**
   * Measures and prints its tables. It judges nothing: a benchmark is no test.
   * @param signal ends it early; it then rejects with the signal's reason, and leaves nothing running
   * @throws UsageError if the arguments are invalid
   */
  run(args: string[], signal: AbortSignal): Promise<void>;
}

/** The command line is invalid; the message says why. */
export class UsageError extends Error {}

/** Prints a line of progress on stderr, next to the tables. */
export const progress = (text: string): void => void process.stderr.write(`${text}\n`);

/** Where the repository is: two levels up from the folder of the bundle in dist. */
export const root = join(__dirname, '..', '..');
