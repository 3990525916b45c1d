import { runJest } from './run-jest.mjs';
import { temporaryFolderInMemory } from './temporary-folder.mjs';

/** Runs all tests that need only what npm installs, or those of them that the jest arguments select. */
export async function main(args) {
  const folder = temporaryFolderInMemory();
  if (folder !== undefined) process.env.TMPDIR = folder;
  await runJest(['--config', 'jest.config.js', ...args]);
}
