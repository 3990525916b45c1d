import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { run } from 'jest';

const { tally } = createRequire(import.meta.url)('./tally-reporter.cjs');

/**
 * Runs jest in this process, with the tally reporter's line as the very last one of the output.
 *
 * @param {string[]} args
 * @param {object} [options]
 * @param {number} [options.notRun] tests that were left out before; the tally counts them as skipped
 * @param {(files: {path: string, passing: number, others: number}[]) => Promise<void>} [options.onEnd] is called with
 *   what each file came to; others: tests that did not pass, or did not run
 */
export async function runJest(args, { notRun = 0, onEnd } = {}) {
  Object.assign(tally, { notRun, onEnd });
  process.chdir(join(import.meta.dirname, '..', '..'));
  process.once('exit', (code) => {
    if (tally.line !== undefined || code !== 0) writeSync(1, `${tally.line ?? '0 passed, 0 failed'}\n`);
  });
  await run(args);
}
