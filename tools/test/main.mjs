import { run } from 'jest';
import { createRequire } from 'node:module';
import { writeSync } from 'node:fs';
import { join } from 'node:path';

const { tally } = createRequire(import.meta.url)('./tally-reporter.cjs');

/** All tests, or those that the jest arguments select. The tally is the very last line of the output. */
export async function main(args) {
  process.chdir(join(import.meta.dirname, '..', '..'));
  process.once('exit', (code) => {
    if (tally.line !== undefined || code !== 0) writeSync(1, `${tally.line ?? '0 passed, 0 failed'}\n`);
  });
  await run(['--config', 'jest.config.js', ...args]);
}
