import { endLeftProcesses } from './left-processes.mjs';
import { runJest } from './run-jest.mjs';
import { temporaryFolderInMemory, temporaryFolderOnDisk } from './temporary-folder.mjs';

/**
 * Runs all tests that need only what npm installs, or those of them that the jest arguments select. A process that they
 * leave behind is ended, and fails the run.
 */
export async function main(args) {
  const folder = temporaryFolderInMemory() ?? temporaryFolderOnDisk();
  if (folder !== undefined) process.env.TMPDIR = folder;
  await runJest(['--config', 'jest.config.js', ...args]);
  const left = folder === undefined ? [] : await endLeftProcesses(folder);
  if (left.length === 0) return;
  process.stderr.write(`${left.join('\n')}\n`);
  process.exitCode = 1;
}
