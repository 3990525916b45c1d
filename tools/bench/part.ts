import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { optionLines, type Options, readOptions, type ValuesOf } from './options';

/** One part of the benchmark: `npm run bench -- <name>`. */
export interface Part {
  /** One line for the list of parts. */
  summary: string;
  /** The options that it takes, a line each. */
  options: string;
  /** @throws UsageError if the arguments are invalid */
  run(args: string[], signal: AbortSignal): Promise<void>;
}

/**
 * Makes a part of its options and of what it does with their values.
 *
 * @param measure Measures and prints its tables. It judges nothing: a benchmark is no test. The signal ends it early; it then
 *   rejects with the signal's reason, and leaves nothing running.
 */
export const partOf = <Known extends Options>(
  summary: string,
  options: Known,
  measure: (values: ValuesOf<Known>, signal: AbortSignal) => Promise<void>,
): Part => ({
  summary,
  options: optionLines(options),
  run: async (args, signal) => measure(readOptions(args, options), signal),
});

/** Prints a line of progress on stderr, next to the tables. */
export const progress = (text: string): void => void process.stderr.write(`${text}\n`);

/** Where the repository is: two levels up from the folder of the bundle in dist. */
export const root = join(__dirname, '..', '..');

/** Builds what is measured as it is deployed. */
export async function buildApps(apps: readonly string[]): Promise<void> {
  progress('building the apps');
  for (const app of apps) {
    await promisify(execFile)(process.execPath, [join(root, 'tools/build/build.mjs'), app]);
  }
}
