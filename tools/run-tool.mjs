import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);

/** The file that an installed package runs as a command of this name. */
export function toolPath(packageName, bin = packageName) {
  const manifestPath = require.resolve(`${packageName}/package.json`);
  const { bin: bins } = require(manifestPath);
  return join(dirname(manifestPath), typeof bins === 'string' ? bins : bins[bin]);
}

/**
 * Runs an installed package's command in this repository, on this terminal.
 * @returns {Promise<number>} its exit code.
 */
export async function runTool(packageName, args) {
  const child = spawn(process.execPath, [toolPath(packageName), ...args], {
    cwd: join(import.meta.dirname, '..'),
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
