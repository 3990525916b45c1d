import { constants } from 'node:fs';
import fs from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EnvironmentName } from '@plat/environments';
import { makePrivateFolder } from '@plat/local';
import { CHANNELS } from './channel';
import { pathsOf, removeIfEmpty } from './forward-files';
import { clearFolders, isLink } from './own-place';

/**
 * Moves the state files and logs of an earlier client out of the user's cache folder, without replacing any and without
 * following a link. Best effort: what cannot be moved stays. Spec: Client, Versioning, rule 3.
 *
 * @param cacheFolder the client's own folder in the user's cache folder
 * @returns the new paths
 * @throws RangeError like `recordPath`
 */
export async function moveFromCache(
  { cacheFolder, configFolder }: { cacheFolder: string; configFolder: string },
  name: EnvironmentName,
): Promise<string[]> {
  const moved: string[] = [];
  for (const channel of CHANNELS) {
    const [record = '', log = ''] = pathsOf(configFolder, name, channel);
    const folder = join(cacheFolder, channel, name.tenant);
    if ([dirname(folder), folder].some(isLink)) continue;
    for (const [ending, path] of Object.entries({ json: record, log })) {
      if (await moveTo(join(folder, `${name.environment}.${ending}`), path)) moved.push(path);
    }
    await removeIfEmpty(folder);
  }
  return moved;
}

async function moveTo(old: string, path: string): Promise<boolean> {
  try {
    if (!(await fs.lstat(old)).isFile()) return false;
    clearFolders(path);
    if ((await fs.lstat(path).catch(() => undefined)) !== undefined) return false;
    await makePrivateFolder(dirname(path));
    await rename(old, path);
    return true;
  } catch {
    return false;
  }
}

/** Renames a file; to another file system it is copied, and the old one is removed once the copy is on the disk. */
async function rename(old: string, path: string): Promise<void> {
  try {
    await fs.rename(old, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    const fresh = `${path}.${process.pid}.new`;
    try {
      await copyToDisk(old, fresh);
      await fs.rename(fresh, path);
    } catch (failure) {
      await fs.rm(fresh, { force: true });
      throw failure;
    }
    await fs.rm(old, { force: true });
  }
}

async function copyToDisk(old: string, fresh: string): Promise<void> {
  await fs.copyFile(old, fresh, constants.COPYFILE_EXCL);
  const file = await fs.open(fresh, 'r+');
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}
