import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';

const root = join(import.meta.dirname, '..', '..');
const LOCK = 'package-lock.json';

/**
 * The folder of the programs that a package of ours names as dependencies: installed once for each version of its
 * lock file, and kept in the user's cache. They are no development dependencies, since few tests need them.
 *
 * @param {string} folder with `package.json` and its lock file
 * @param {(line: string) => void} log
 * @returns {Promise<string>}
 * @throws Error with npm's words when it fails
 */
export async function npmPrograms(folder, log) {
  const lock = await readFile(join(root, folder, LOCK));
  const version = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'plat', 'peers');
  const installed = join(cache, `${folder.split('/').at(-1)}-${version}`);
  if (!existsSync(installed)) await install({ folder, cache, installed }, log);
  return join(installed, 'node_modules', '.bin');
}

/** Installs in another folder and renames it into place, so that an interruption leaves no incomplete installation. */
async function install({ folder, cache, installed }, log) {
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(`${installed}.`);
  try {
    for (const file of ['package.json', LOCK]) await cp(join(root, folder, file), join(unfinished, file));
    log(`Installing ${folder} from npm.`);
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    const { ok, output } = await runCommand('npm', args, { cwd: unfinished });
    if (!ok) throw new Error(`npm ci failed for ${folder}:\n${output}`);
    // Another run may have been quicker: its installation is the same.
    if (!existsSync(installed)) await rename(unfinished, installed);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
