import { constants } from 'node:fs';
import { lstat, open, rm } from 'node:fs/promises';
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
  recordText,
} from './forward-record';

/** A record has some hundred bytes. */
const RECORD_BYTES_MAX = 64 * 1024;
/** More than other processes that run at the same time can spoil. */
const ATTEMPTS_MAX = 100;

/**
 * Reads a state file. A link, a folder, a file that is too large, and one that may not be read are no records, like an
 * absent one: the next `plat open` replaces them. A log with another path than the state file's own counts as absent.
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
  // Without waiting for a writer, if somebody put a pipe there.
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

/** Replaces a state file in one step; a link or a folder in its place is replaced, not followed. Decision H10. */
export async function writeRecord(path: string, record: ForwardRecord): Promise<void> {
  const there = await lstat(path).catch(() => undefined);
  if (there?.isDirectory()) await rm(path, { recursive: true, force: true });
  for (let attempt = 1; ; attempt += 1) {
    try {
      await makePrivateFolder(dirname(path));
      await writePrivateFile(path, recordText(record));
      return;
    } catch (error) {
      // Another `plat open` removes folders without files, so this one may have to be made again.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === ATTEMPTS_MAX) throw error;
    }
  }
}

/** Runs the work while no other process works on this channel of the environment. Decision H10. */
export function withChannelLock<T>(
  configFolder: string,
  { name: { tenant, environment }, channel }: { name: EnvironmentName; channel: Channel },
  work: () => Promise<T>,
): Promise<T> {
  const file = `.${tenant}-${environment}.lock`;
  return withFileLock(join(channelFolder(configFolder, channel), file), work, { waiting: () => undefined });
}
