import { join } from 'node:path';
import { installedOnce } from './installed-once.mjs';
import { runCommand } from './run-command.mjs';

/**
 * The folders of the programs that a package of ours names as dependencies: that of their commands, and the one that has
 * the packages. They are installed once for each version of its lock file, and kept in the user's cache. They are no development dependencies, since few tests need them.
 *
 * @param {string} folder with `package.json` and its lock file
 * @param {(line: string) => void} log
 * @param {{scripts?: boolean}} [options] whether the packages' own scripts of installation run
 * @returns {Promise<string[]>}
 * @throws Error with npm's words when it fails
 */
export async function npmPrograms(folder, log, { scripts = false } = {}) {
  const files = ['package-lock.json', 'package.json'];
  const installed = await installedOnce({ folder, files }, async (cwd) => {
    log(`Installing ${folder} from npm.`);
    const args = ['ci', ...(scripts ? [] : ['--ignore-scripts']), '--no-audit', '--no-fund'];
    const { ok, output } = await runCommand('npm', args, { cwd });
    if (!ok) throw new Error(`npm ci failed for ${folder}:\n${output}`);
  });
  const packages = join(installed, 'node_modules');
  return [join(packages, '.bin'), packages];
}
