import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { EnvironmentName } from '@plat/environments';
import { makePrivateFolder, withFileLock, writePrivateFile } from '@plat/local';
import type { Channel } from './channel';
import {
  channelFolder,
  type ForwardRecord,
  logPathOf,
  type ParsedRecord,
  parseRecord,
  recordPath,
  recordText,
} from './forward-record';
import { clearFolders, clearPlace, isLedAway } from './own-place';

/** A record has some hundred bytes. */
const RECORD_BYTES_MAX = 64 * 1024;
/** More than other processes that run at the same time can spoil. */
const ATTEMPTS_MAX = 100;

/**
 * Reads a state file. A link, a folder, a file that is too large, one that may not be read, and one below a link are no
 * records, like an absent one: the next `plat open` replaces them. A log with another path than the state file's own counts as absent.
 */
export async function readRecord(path: string): Promise<ParsedRecord> {
  const text = await readSmallFile(path);
  const { record, isLegacy } = parseRecord(text ?? '');
  if (record === undefined) return { isLegacy };
  const logPath = record.logPath === logPathOf(path) ? record.logPath : undefined;
  return { record: { ...record, logPath }, isLegacy };
}

/**
 * The text of a regular file that is no link.
 *
 * @returns undefined for anything else, and for more than 64 KiB
 */
async function readSmallFile(path: string): Promise<string | undefined> {
  if (isLedAway(path)) return undefined;
  // It does not wait for a writer, in case the file is a pipe.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return undefined;
  try {
    const state = await file.stat();
    const isSmall = state.isFile() && state.size <= RECORD_BYTES_MAX;
    return isSmall ? await file.readFile('utf8') : undefined;
  } finally {
    await file.close();
  }
}

/**
 * Replaces a state file in one step. A link in its place or in that of a folder of it is replaced, not followed; a folder
 * with content is kept next to it. Rule H10.
 */
export async function writeRecord(path: string, record: ForwardRecord): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      clearFolders(path);
      clearPlace(path);
      await makePrivateFolder(dirname(path));
      await writePrivateFile(path, recordText(record));
      return;
    } catch (error) {
      // Another `plat open` removes folders without files, so this one may have to be made again.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/**
 * Runs the work while no other process works on this channel of the environment. Rule H10.
 *
 * @param interrupted ends the wait for such a process
 * @throws RangeError like `recordPath`, and the reason of `interrupted`
 */
export async function withChannelLock<T>(
  configFolder: string,
  { name, channel, interrupted }: { name: EnvironmentName; channel: Channel; interrupted?: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  clearFolders(recordPath(configFolder, name, channel));
  const lock = join(channelFolder(configFolder, channel), `.${name.tenant}-${name.environment}.lock`);
  clearPlace(lock);
  return withFileLock(lock, work, { interrupted, waiting: () => undefined });
}
