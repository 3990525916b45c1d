import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 200;

// `@plat/local` has a lock too, but it is TypeScript, and this one is held while what compiles it is installed.

/**
 * Runs `work` while this process holds the lock file, which names the holder's pid.
 * The lock of a process that is gone is taken over.
 *
 * @template T
 * @param {string} path
 * @param {{onWait?: (pid: number | undefined) => void}} options `onWait` is called once, with the holder's pid
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withFileLock(path, { onWait }, work) {
  await mkdir(dirname(path), { recursive: true });
  for (let waited = false; !(await acquire(path)); waited = true) {
    if (!waited) onWait?.(await holder(path));
    await delay(POLL_MS);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

/** Links a finished file, so that the lock never exists without its pid. */
async function acquire(path) {
  const own = `${path}.${randomUUID()}`;
  await writeFile(own, String(process.pid));
  try {
    await link(own, path);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    const pid = await holder(path);
    if (pid !== undefined && !isAlive(pid)) await removeStale(path, pid);
    return false;
  } finally {
    await rm(own, { force: true });
  }
}

/** Moves the lock away, which only one process can do. If it turns out to be a new holder's lock, it is put back. */
async function removeStale(path, stalePid) {
  const moved = `${path}.${randomUUID()}`;
  try {
    await rename(path, moved);
  } catch {
    return;
  }
  if ((await holder(moved)) !== stalePid) await link(moved, path).catch(() => undefined);
  await rm(moved, { force: true });
}

async function holder(path) {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text);
}

export function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
