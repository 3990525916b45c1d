import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const PRIVATE_FOLDER_MODE = 0o700;
const PRIVATE_FILE_MODE = 0o600;

/**
 * Replaces a file in one step by one that only its owner can read and write: a reader sees the old content or the new
 * one, and a crash leaves one of them. The new content is a new file, so an old mode or a planted link is not inherited.
 *
 * @param owner whose file it becomes; default the user of this process
 */
export async function writePrivateFile(
  path: string,
  content: string,
  owner?: { uid: number; gid: number },
): Promise<void> {
  const fresh = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
  try {
    const file = await open(fresh, 'wx', PRIVATE_FILE_MODE);
    try {
      await file.writeFile(content);
      if (owner) await file.chown(owner.uid, owner.gid);
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

/** Writes a private file into a folder that is made private first. */
export async function writeInPrivateFolder(path: string, content: string): Promise<void> {
  await makePrivateFolder(dirname(path));
  await writePrivateFile(path, content);
}

/** Makes a folder that only its owner can enter, and restricts an existing one. */
export async function makePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER_MODE });
  await chmod(path, PRIVATE_FOLDER_MODE);
}
