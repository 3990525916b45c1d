import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** Errors of a folder that its owner may not change, such as those of Go's module cache. */
const CLOSED: readonly unknown[] = ['EACCES', 'EPERM', 'ENOTEMPTY'];

/** Removes a folder with all that is in it, folders without permissions of the owner too. Follows no link. */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
  } catch (error) {
    if (!CLOSED.includes((error as NodeJS.ErrnoException).code)) throw error;
    await openFolders(folder);
    await rm(folder, { recursive: true, force: true });
  }
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await openFolders(join(folder, entry.name));
  }
}
