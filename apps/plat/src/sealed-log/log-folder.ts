import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ENTRY_BYTES_MAX, HASH_BYTES, NOTE_BYTES_MAX, parseLogPath, TILE_WIDTH } from '@plat/ledger';
import { FileRefused, readRegularFile } from '@plat/local';
import { Altered } from './altered';
import { firstEntryOf } from './log-layout';

/** The files of an exported log, wherever they are. */
export interface LogFolder {
  /** The paths of all files, with `/` between the names. */
  paths(): AsyncIterable<string> | Iterable<string>;
  /** @returns undefined if there is no such file. @throws Altered for a file that is no part of any log */
  read(path: string): Promise<Buffer | undefined>;
}

/** A log on this machine's disk, which another person may have packed. */
export const folderOnDisk = (root: string): LogFolder => ({
  paths: () => filesBelow(root),
  read: async (path) => {
    try {
      return readIfThere(root, path);
    } catch (error) {
      if (!(error instanceof FileRefused)) throw error;
      throw new Altered(`The file ${path} ${error.message}.`, firstEntryOf(path));
    }
  },
});

/**
 * The content of a file of a log; undefined if there is none.
 *
 * @throws FileRefused unless it is a regular file that is no link, and no longer than its kind can be
 */
export function readIfThere(root: string, path: string): Buffer | undefined {
  try {
    const bounds = { bytesMax: bytesMaxOf(path), inside: root, mayBeLink: false };
    return readRegularFile(join(root, path), bounds);
  } catch (error) {
    // A folder in the place of a file, or the other way round, is not the file either.
    if (error instanceof FileRefused && ['absent', 'folder'].includes(error.fault)) return undefined;
    throw error;
  }
}

const LENGTH_BYTES = 2;
/** The fields of an entry as JSON, with the salt: the largest are those of a landing with all of its findings. */
const DISCLOSED_LINE_BYTES_MAX = 256 * 1024;

/** Most bytes of a file of a log by its kind. Decision on formats: docs/decisions/0033. */
function bytesMaxOf(path: string): number {
  switch (parseLogPath(path)?.kind) {
    case 'tile':
      return TILE_WIDTH * HASH_BYTES;
    case 'entries':
      return TILE_WIDTH * (LENGTH_BYTES + ENTRY_BYTES_MAX);
    case 'disclosed':
      return TILE_WIDTH * DISCLOSED_LINE_BYTES_MAX;
    case undefined:
      return NOTE_BYTES_MAX;
  }
}

/** The paths of all files below a folder, with `/` between the names. A link is a file, and is not followed. */
export async function* filesBelow(root: string, folder = ''): AsyncGenerator<string> {
  for (const entry of await readdir(join(root, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* filesBelow(root, path);
    else yield path;
  }
}
