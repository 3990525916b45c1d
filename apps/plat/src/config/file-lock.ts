import { open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../terminal/failure';
import { makePrivateFolder } from './atomic-file';

const RETRY_MILLISECONDS = 25;
const WAIT_MILLISECONDS_MAX = 30_000;
/** Nothing under a lock takes this long, so an older one was left by a process whose pid was given away. */
const STALE_MILLISECONDS = 60_000;

/**
 * Runs the work while no other process of this machine holds the same lock.
 * A lock whose holder is gone is taken over.
 *
 * @param path the lock file; it exists while the lock is held.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await makePrivateFolder(dirname(path));
  const deadline = Date.now() + WAIT_MILLISECONDS_MAX;
  while (!(await tryLock(path))) {
    if (await isLeftOver(path)) await rm(path, { force: true });
    else if (Date.now() > deadline)
      throw new Failure('LOCKED', `Another plat process holds ${path}.`, { next: `rm ${path}` });
    else await delay(RETRY_MILLISECONDS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function tryLock(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(String(process.pid));
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isLeftOver(path: string): Promise<boolean> {
  try {
    const [holder, { mtimeMs }] = await Promise.all([readFile(path, 'utf8'), stat(path)]);
    if (Date.now() - mtimeMs > STALE_MILLISECONDS) return true;
    // Empty for a moment, between its creation and the writing of the pid.
    return holder !== '' && !isAlive(Number(holder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
