import { runTool } from './run-tool.mjs';

export async function main(args) {
  process.exitCode = await runTool('prettier', ['--write', '--log-level=warn', '.', ...args]);
}
