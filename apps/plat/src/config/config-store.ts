import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { writeInPrivateFolder, writePrivateFile } from '@plat/local';
import { type ConfigDocument, readConfigDocument } from './config-document';
import { withFileLock } from './file-lock';

/** Backups that are kept of each file. Rule H3. */
const BACKUPS_MAX = 5;
const BACKUP = /^\.\d{4}-\d{2}-\d{2}\.bak$/;
/** The endings of partial files that a killed writer left, of the file itself or of a backup. */
const LEFT_OVER = /^(?:\.\d{4}-\d{2}-\d{2}\.bak)?\.\d+\.[0-9a-f]{8}$/;

/** A file of the store that is to be changed. */
export interface ConfigPlace {
  /** The folder of the store. One lock holds for all of its files. */
  configFolder: string;
  path: string;
}

/**
 * Changes one file of the configuration under the lock. The new text replaces the old text in one step; keys and
 * comments that the change does not concern stay. The first save of a UTC day keeps the old text next to it. Nothing is
 * written if the change throws, or changes nothing. Rules G3 and H3.
 *
 * @throws Failure CONFIG_UNREADABLE, LOCKED; errors of the system
 */
export async function changeConfigFile(
  { configFolder, path }: ConfigPlace,
  change: (file: ConfigDocument) => void | Promise<void>,
  now: Date = new Date(),
): Promise<void> {
  await withFileLock(join(configFolder, '.config.lock'), async () => {
    const file = await readConfigDocument(path);
    await change(file);
    // Without a width, because the library would fold long lines that the change does not concern.
    const text = file.document.toString({ lineWidth: 0 });
    if (text === file.text) return;
    if (file.text !== undefined) {
      await keepBackup(path, file.text, now);
      await removeLeftOvers(path);
    }
    await writeInPrivateFolder(path, text);
  });
}

/** Writes the text as the backup of the day if the day has none yet, and removes the oldest backups. */
async function keepBackup(path: string, text: string, now: Date): Promise<void> {
  const own = `.${now.toISOString().slice(0, 10)}.bak`;
  const kept = (await endingsOf(path)).filter((ending) => BACKUP.test(ending));
  if (kept.includes(own)) return;
  await writePrivateFile(`${path}${own}`, text);
  const old = [...kept, own].sort().slice(0, -BACKUPS_MAX);
  for (const ending of old) await rm(`${path}${ending}`, { force: true });
}

/** Removes the partial files of killed writers. No other process writes while this one holds the lock. */
async function removeLeftOvers(path: string): Promise<void> {
  const left = (await endingsOf(path)).filter((ending) => LEFT_OVER.test(ending));
  for (const ending of left) await rm(`${path}${ending}`, { force: true });
}

/** The endings of the files next to the file whose names begin with its name and a dot. */
async function endingsOf(path: string): Promise<string[]> {
  const name = basename(path);
  const names = await readdir(dirname(path));
  return names.filter((other) => other.startsWith(`${name}.`)).map((other) => other.slice(name.length));
}
