import { runTool } from '../run-tool.mjs';

/** Builds every app. Unchanged apps come from nx's cache. */
export async function main(args) {
  process.exitCode = await runTool('nx', ['run-many', '-t', 'build', '--output-style=static', ...args]);
}
