import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A running git writes or removes its lock file long before this time. */
const LIVING_LOCK_MILLISECONDS_MAX = 200;
/** File systems store times less exactly than the clock, so a lock may look older by this much. */
const FILE_TIME_MILLISECONDS = 1000;

/** The folders in which a checkout's repository keeps its files. */
export interface GitFolders {
  /** The folder of this worktree alone. */
  own: string;
  /** The folder of all worktrees of the repository. */
  common: string;
}

/**
 * Removes the lock files of a stopped git. git removes its locks when a signal ends it, except one that it has opened
 * and not registered yet. Such a lock is empty, and would block every later git command.
 *
 * @param since when the stopped git was started; an older lock is another's, and stays
 */
export async function removeLeftLocks(folders: GitFolders, since: number): Promise<void> {
  const seen = await emptyLocks(folders, since);
  if (seen.size === 0) return;
  await delay(LIVING_LOCK_MILLISECONDS_MAX);
  for (const [path, inode] of await emptyLocks(folders, since)) {
    if (seen.get(path) === inode) await rm(path, { force: true });
  }
}

/** Removes all lock files of a worktree in which no git is at work, whatever they contain. */
export async function removeAllLocks(own: string): Promise<void> {
  for (const path of await locksIn(own)) await rm(path, { force: true });
}

/** The empty lock files that are not older than `since`: inode by path. */
async function emptyLocks({ own, common }: GitFolders, since: number): Promise<Map<string, number>> {
  const paths = [
    ...(await locksIn(own)),
    ...(await locksIn(common)),
    ...(await locksIn(join(common, 'refs'), true)),
  ];
  const locks = new Map<string, number>();
  for (const path of new Set(paths)) {
    const file = await stat(path).catch(() => undefined);
    if (file?.size === 0 && file.mtimeMs + FILE_TIME_MILLISECONDS >= since) locks.set(path, file.ino);
  }
  return locks;
}

async function locksIn(folder: string, recursive = false): Promise<string[]> {
  const names = await readdir(folder, { recursive }).catch(() => []);
  return names.filter((name) => name.endsWith('.lock')).map((name) => join(folder, name));
}
