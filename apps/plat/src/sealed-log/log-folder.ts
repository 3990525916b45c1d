import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The files of an exported log, wherever they are. */
export interface LogFolder {
  /** The paths of all files, with `/` between the names. */
  paths(): AsyncIterable<string> | Iterable<string>;
  /** @returns undefined if there is no such file */
  read(path: string): Promise<Buffer | undefined>;
}

/** A log on this machine's disk. */
export const folderOnDisk = (root: string): LogFolder => ({
  paths: () => filesBelow(root),
  read: (path) => readIfThere(join(root, path)),
});

/** The content of a file; undefined if there is none. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (ABSENT.includes((error as NodeJS.ErrnoException).code)) return undefined;
    throw error;
  }
}

/** A folder in the place of a file, or the other way round, is not the file either. */
const ABSENT: readonly unknown[] = ['ENOENT', 'ENOTDIR', 'EISDIR'];

/** The paths of all files below a folder, with `/` between the names. */
export async function* filesBelow(root: string, folder = ''): AsyncGenerator<string> {
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else yield path;
  }
}
