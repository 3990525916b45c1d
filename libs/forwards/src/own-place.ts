import { lstatSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { CHANNELS } from './channel';

/** The folder of the forwards, below that of the user's configuration. Spec: Client, Port-forward state file. */
export const FORWARDS_FOLDER = 'portforward';

/**
 * Whether a link is in place of a folder of a state file or log: `portforward`, the channel's or the tenant's. What the
 * path names is elsewhere then, and is neither read nor written nor removed.
 */
export function isLedAway(path: string): boolean {
  return ownFoldersOf(path).some(isLink);
}

export function isLink(path: string): boolean {
  return typeOf(path)?.isSymbolicLink() ?? false;
}

/**
 * Makes room for the folders of a state file: a link in place of one is removed, not what it leads to, and a file in place
 * of one is kept next to it as `….kept-<ms>`.
 */
export function clearFolders(path: string): void {
  for (const folder of ownFoldersOf(path)) {
    const there = typeOf(folder);
    if (there === undefined || there.isDirectory()) continue;
    if (there.isFile()) keepBeside(folder);
    else rmSync(folder, { force: true });
  }
}

/**
 * Makes room for a regular file: a link, a pipe and an empty folder in its place are removed, and a folder with content is
 * kept next to it as `….kept-<ms>`.
 */
export function clearPlace(path: string): void {
  const there = typeOf(path);
  if (there === undefined || there.isFile()) return;
  if (!there.isDirectory()) rmSync(path, { force: true });
  else if (!removeEmpty(path)) keepBeside(path);
}

/** Lists the folders from the outermost to the tenant's; none for a path that is not below `portforward`. */
function ownFoldersOf(path: string): string[] {
  const tenant = dirname(path);
  const channel = dirname(tenant);
  const root = dirname(channel);
  const isOurs = basename(root) === FORWARDS_FOLDER && CHANNELS.some((one) => one === basename(channel));
  return isOurs ? [root, channel, tenant] : [];
}

function typeOf(path: string) {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
}

/** @returns whether it was an empty folder */
function removeEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false;
    throw error;
  }
}

function keepBeside(path: string): void {
  renameSync(path, `${path}.kept-${Date.now()}`);
}
