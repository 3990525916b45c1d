import { randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, rename } from 'node:fs/promises';
import type { Git } from '../git/git';

/** The permissions without which the owner can neither read a folder nor change it. */
const OPEN = 0o700;

/**
 * Makes the folder of a worktree usable again after a gate. Its code can remove the folder, close it, or put something else in
 * its place, and no command of git runs in a folder that is not there. What was put there is moved aside.
 */
export async function restoreFolder({ folder }: Git): Promise<void> {
  const found = await lstat(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found?.isDirectory()) {
    if ((found.mode & OPEN) !== OPEN) await chmod(folder, found.mode | OPEN);
    return;
  }
  if (found) await rename(folder, `${folder}.left-${randomBytes(4).toString('hex')}`);
  await mkdir(folder);
}
