import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/**
 * A folder in the user's cache with what the files of one of our folders name: installed once for each content of the
 * first of these files. It is installed in another folder and renamed into place, so that an interruption leaves no
 * incomplete installation.
 *
 * @param {{folder: string, files: string[]}} source
 * @param {(unfinished: string) => Promise<void>} install installs in the folder, in which copies of the files lie
 * @returns {Promise<string>}
 */
export async function installedOnce({ folder, files }, install) {
  const lock = await readFile(join(root, folder, files[0]));
  const version = createHash('sha256').update(lock).digest('hex').slice(0, 16);
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'plat', 'peers');
  const installed = join(cache, `${folder.split('/').at(-1)}-${version}`);
  if (existsSync(installed)) return installed;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(`${installed}.`);
  try {
    for (const file of files) await cp(join(root, folder, file), join(unfinished, file));
    await install(unfinished);
    // Another run may have been quicker: its installation is the same.
    if (!existsSync(installed)) await rename(unfinished, installed);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return installed;
}
