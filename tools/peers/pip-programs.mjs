import { join } from 'node:path';
import { installPackages } from './debian-packages.mjs';
import { installedOnce } from './installed-once.mjs';
import { runCommand } from './run-command.mjs';

/**
 * The folders of the programs in wheels that a requirements file names with their hashes: that of their scripts, and the one
 * that has all. They are installed once for each version of that file, and kept in the user's cache. Nothing is built, and
 * no other package is installed with them.
 *
 * @param {string} folder with `requirements.txt`
 * @param {(line: string) => void} log
 * @returns {Promise<string[]>}
 * @throws Error with pip's words when it fails
 */
export async function pipPrograms(folder, log) {
  const installed = await installedOnce({ folder, files: ['requirements.txt'] }, async (cwd) => {
    // Another Python than Debian's does as well.
    const { ok: hasPip } = await runCommand('python3', ['-m', 'pip', '--version']);
    if (!hasPip) await installPackages(['python3-pip'], log);
    log(`Installing ${folder} from PyPI.`);
    const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps'];
    args.push(
      '--require-hashes',
      '--only-binary',
      ':all:',
      '--target',
      '.',
      '--requirement',
      'requirements.txt',
    );
    const { ok, output } = await runCommand('python3', args, { cwd });
    if (!ok) throw new Error(`pip install failed for ${folder}:\n${output}`);
  });
  return [join(installed, 'bin'), installed];
}
