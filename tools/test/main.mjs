import { join } from 'node:path';
import { makeRunFolder } from './run-folder.mjs';
import { runJest } from './run-jest.mjs';

const root = join(import.meta.dirname, '..', '..');
/** Specs that need more than npm installs, or minutes: they have commands of their own. */
const OF_OTHER_RUNS = /\.(?:peers|cluster|long)\.spec\.ts$/;

/** Runs all tests that need only what npm installs, or those of them that the arguments select. */
export async function main(args) {
  const { changedArgument, selectionOf } = await import('./changed/run-selection.mjs');
  if (changedArgument(args) === undefined) return run(args);
  const selection = await selectionOf(root, args, {
    isRun: (file) => !OF_OTHER_RUNS.test(file),
    times: 'tools/test/times.json',
  });
  if (selection.files.length > 0) return run([...selection.args, '--runTestsByPath', ...selection.files]);
  process.stdout.write('0 passed, 0 failed\n');
}

async function run(args) {
  const runFolder = makeRunFolder();
  process.env.TMPDIR = runFolder;
  await runJest(['--config', 'jest.config.js', ...args], { runFolder });
}
