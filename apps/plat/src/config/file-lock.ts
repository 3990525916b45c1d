import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../terminal/failure';
import { makePrivateFolder } from './atomic-file';

const RETRY_MILLISECONDS = 25;
/** Nothing that is done under a lock takes this long. */
const WAIT_MILLISECONDS_MAX = 60_000;

/**
 * Runs the work while no other process of this machine holds the same lock.
 * The lock of a process that is gone is taken over.
 *
 * @param path the lock file; it exists while the lock is held, and holds the pid of its holder.
 * @throws Failure LOCKED after a minute
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await makePrivateFolder(dirname(path));
  const deadline = Date.now() + WAIT_MILLISECONDS_MAX;
  while (!(await take(path))) {
    if (Date.now() > deadline)
      throw new Failure('LOCKED', `The process ${await holder(path)} holds ${path}.`, { next: `rm ${path}` });
    await delay(RETRY_MILLISECONDS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** By a link to a finished file: nobody ever sees the lock without its pid. */
async function take(path: string): Promise<boolean> {
  const own = besides(path);
  try {
    await writeFile(own, String(process.pid), { flag: 'wx', mode: 0o600 });
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const pid = await holder(path);
    if (pid !== undefined && !isAlive(pid)) await removeLeftOver(path, pid);
    return false;
  } finally {
    await rm(own, { force: true });
  }
}

/** One process alone can move the file away. Was it a new holder's by then, it goes back. */
async function removeLeftOver(path: string, pid: number): Promise<void> {
  const moved = besides(path);
  try {
    await rename(path, moved);
  } catch {
    return;
  }
  if ((await holder(moved)) !== pid) await link(moved, path).catch(() => undefined);
  await rm(moved, { force: true });
}

async function holder(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text);
}

/** Whether there is a process of this id; one that may not be signalled (EPERM) is alive. */
export function isAlive(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function besides(path: string): string {
  return `${path}.${process.pid}.${randomBytes(4).toString('hex')}`;
}
