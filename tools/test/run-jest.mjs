import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { run } from 'jest';
import { endProcesses, waitForProcessesOf } from './left-processes.mjs';

const require = createRequire(import.meta.url);
const { tally } = require('./tally.cjs');
const { reportArguments } = require('./stuck-reporter.cjs');

/**
 * Runs jest in this process, with the tally reporter's line as the very last one of the output. A run that leaves a
 * process behind has failed, and so has one that is stuck.
 *
 * @param {string[]} args
 * @param {object} options
 * @param {string} options.runFolder the folder of the run's temporary files, which its processes have in a variable,
 *   an argument or as their working folder
 * @param {number} [options.notRun] tests that were left out before; the tally counts them as skipped
 * @param {(files: FileResult[]) => Promise<void>} [options.onEnd] is called with
 *   what each file came to
 *
 * @typedef {{path: string, passing: number, failing: number, others: number, seconds: number}} FileResult others: tests
 *   that did not pass, or did not run
 */
export async function runJest(args, { runFolder, notRun = 0, onEnd }) {
  Object.assign(tally, { notRun, onEnd });
  process.chdir(join(import.meta.dirname, '..', '..'));
  process.once('exit', (code) => {
    if (tally.line !== undefined || code !== 0) writeSync(1, `${tally.line ?? '0 passed, 0 failed'}\n`);
  });
  // jest starts its workers with the arguments of this process.
  process.execArgv.push(...reportArguments(runFolder));
  await run(args);
  const left = await waitForProcessesOf(runFolder);
  if (left.length === 0) return;
  endProcesses(left);
  const lines = left.map(({ pid, command }) => `  ${pid} ${command}`);
  writeSync(2, `The tests left processes behind, which are ended now:\n${lines.join('\n')}\n`);
  process.exitCode = 1;
}
