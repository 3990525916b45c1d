import { createHash, randomBytes } from 'node:crypto';
import { link, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { BEAT_MILLISECONDS, type Holder, isHolderAlive, lockText, readHolder } from './lock-holder';
import { makePrivateFolder } from './private-file';
import { identify } from './process-identity';
import { processSpace } from './process-space';

const RETRY_MILLISECONDS = 25;
/** Nothing that is done under a lock takes this long, unless who takes it says so. */
const WAIT_MILLISECONDS_MAX = 60_000;

/** How a lock is waited for that is held as long as its holder's work takes. */
export interface PatientWait {
  /** Ends the wait; what it was aborted with is thrown. */
  interrupted?: AbortSignal | undefined;
  /** Called once, when the lock is held by another. @param pid of its holder */
  waiting(pid: number): void;
}

/** A lock that this process holds. */
export interface FileLock {
  release(): Promise<void>;
}

/** Another process holds the lock. */
export class FileLockHeld extends Error {
  override name = 'FileLockHeld';
  constructor(
    readonly path: string,
    /** Of the holder; undefined if it has left in between. */
    readonly pid: number | undefined,
  ) {
    super(`The process ${pid} holds ${path}.`);
  }
}

/**
 * Runs the work while no other process holds the same lock. The lock of a process that is gone is taken over.
 *
 * @param path the lock file, in a folder that is made private; it exists while the lock is held, and names the process
 * of its holder.
 * @param patience waits for as long as the holder lives
 * @throws FileLockHeld after a minute without patience
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  patience?: PatientWait,
): Promise<T> {
  await makePrivateFolder(dirname(path));
  const lock = hold(path, await (patience ? takePatiently(path, patience) : takeSoon(path)));
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

/**
 * Takes a lock in an existing folder for as long as this process runs or wants it, and does not wait for another holder.
 * The lock of a process that is gone is taken over.
 *
 * @throws FileLockHeld while its holder lives
 */
export async function holdFileLock(path: string): Promise<FileLock> {
  for (;;) {
    const own = await take(path);
    if (own !== undefined) return hold(path, own);
    const holder = await readHolder(path);
    if (holder && (await isHolderAlive(holder))) throw new FileLockHeld(path, holder.pid);
    await delay(RETRY_MILLISECONDS);
  }
}

/** Touches a lock that was taken until it is released: a process in another container sees nothing else of its holder. */
function hold(path: string, own: string): FileLock {
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, BEAT_MILLISECONDS).unref();
  return {
    release: () => {
      clearInterval(beat);
      return release(path, own);
    },
  };
}

async function takeSoon(path: string): Promise<string> {
  const deadline = Date.now() + WAIT_MILLISECONDS_MAX;
  for (;;) {
    const own = await take(path);
    if (own !== undefined) return own;
    if (Date.now() > deadline) throw new FileLockHeld(path, (await readHolder(path))?.pid);
    await delay(RETRY_MILLISECONDS);
  }
}

async function takePatiently(path: string, { interrupted, waiting }: PatientWait): Promise<string> {
  for (let waits = 0; ; waits += 1) {
    const own = await take(path);
    if (own !== undefined) return own;
    interrupted?.throwIfAborted();
    const pid = (await readHolder(path))?.pid;
    if (waits === 0 && pid !== undefined) waiting(pid);
    await delay(RETRY_MILLISECONDS);
  }
}

/**
 * By a link to a finished file: nobody ever sees the lock without its holder.
 *
 * @returns the content of the lock that was taken; undefined where it is held, or was until now
 */
async function take(path: string): Promise<string | undefined> {
  const nonce = randomBytes(8).toString('hex');
  const file = `${path}.${process.pid}.${nonce}`;
  const self = await identify(process.pid);
  const text = lockText({ pid: process.pid, began: self?.began ?? '', space: processSpace(), nonce });
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    await link(file, path);
    return text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const found = await readHolder(path);
    if (found !== undefined && !(await isHolderAlive(found))) await removeLeftOver(path, found);
    return undefined;
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Removes the lock of a process that is gone, and no other's. Whoever removes that very lock holds a lock for it first,
 * and looks again: it is there as it was, or somebody has removed it before. Moving it away to look at it would leave
 * the place of a new holder empty for a moment, which a third could take.
 */
async function removeLeftOver(path: string, left: Holder): Promise<void> {
  const guard = takeoverPath(path, left.text);
  const own = await take(guard);
  if (own === undefined) return;
  try {
    await release(path, left.text);
  } finally {
    await release(guard, own);
  }
}

/** The lock under which the left lock of that content is removed; what is left of it is removed the same way. */
export function takeoverPath(path: string, text: string): string {
  return `${path}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/** Removes a lock that nobody else may remove: the caller's own, or one that he holds the takeover of. */
async function release(path: string, text: string): Promise<void> {
  if ((await readHolder(path))?.text === text) await rm(path, { force: true });
}
