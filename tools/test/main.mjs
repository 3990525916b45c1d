import { makeRunFolder } from './run-folder.mjs';
import { runJest } from './run-jest.mjs';

/** Runs all tests that need only what npm installs, or those of them that the jest arguments select. */
export async function main(args) {
  process.env.TMPDIR = makeRunFolder();
  await runJest(['--config', 'jest.config.js', ...args], { runFolder: process.env.TMPDIR });
}
