import { runJest } from './run-jest.mjs';

/** All tests that need nothing but what npm installs, or those of them that the jest arguments select. */
export async function main(args) {
  await runJest(['--config', 'jest.config.js', ...args]);
}
