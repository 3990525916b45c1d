import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const PRIVATE_FOLDER_MODE = 0o700;

/**
 * Replaces a file in one step: a reader sees the old content or the new one, and a crash leaves one of them.
 * The new content is a new file, so an old mode or a planted link is not inherited.
 *
 * @param mode permission bits of the new file; 0600 for a secret.
 */
export async function replaceFile(path: string, content: string, mode: number): Promise<void> {
  await makePrivateFolder(dirname(path));
  const fresh = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const file = await open(fresh, 'wx', mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** Makes a folder that only its owner can enter, and restricts an existing one. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  await chmod(path, PRIVATE_FOLDER_MODE);
}
