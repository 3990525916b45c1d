import { createHash, randomBytes } from 'node:crypto';
import { link, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  BEAT_MILLISECONDS,
  type Holder,
  isHolderAlive,
  isTouched,
  lockText,
  readHolder,
} from './lock-holder';
import { makePrivateFolder } from './private-file';
import { identify } from './process-identity';
import { processSpace } from './process-space';
import { FileRefused } from './regular-file';

const RETRY_MILLISECONDS = 25;
/** Longest wait for a lock, if its caller does not wait patiently. */
const WAIT_MILLISECONDS_MAX = 60_000;

/** Longest time in which a lock may be neither free nor held by a process that runs, before its file system counts as broken. */
const UNTRUE_MILLISECONDS_MAX = 10_000;

/** How to wait for a lock that is held for as long as its holder's work takes. */
export interface PatientWait {
  /** Ends the wait, and throws the abort's reason. */
  interrupted?: AbortSignal | undefined;
  /** Called once, if another process holds the lock. @param pid of the holder */
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
    /** The process id of the holder; undefined if the lock was released meanwhile. */
    readonly pid: number | undefined,
  ) {
    super(`The process ${pid} holds ${path}.`);
  }
}

/** The file system contradicts itself about a lock. */
export class LockUnusable extends Error {
  override name = 'LockUnusable';
  constructor(path: string) {
    super(
      `The lock ${path} can neither be taken nor be read, or does not go away when it is removed. ` +
        'Look whether it is a link, and use a folder on a local file system.',
    );
  }
}

/**
 * Runs the work while no other process holds the same lock. Takes over the lock of a process that has ended.
 *
 * @param path the lock file, in a folder that is made private. It exists while the lock is held, and names the holder's
 * process
 * @param patience waits for as long as the holder runs
 * @throws FileLockHeld after a minute without patience
 * @throws LockUnusable
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
 * Takes a lock in an existing folder, whose mode stays, until it is released or this process ends. Takes over the lock of a
 * process that has ended.
 *
 * @param patience waits for as long as the holder runs
 * @throws FileLockHeld while its holder runs, without patience
 * @throws LockUnusable
 */
export async function holdFileLock(path: string, patience?: PatientWait): Promise<FileLock> {
  if (patience) return hold(path, await takePatiently(path, patience));
  const doubt = new Doubt(path);
  for (;;) {
    const own = await take(path);
    if (own !== undefined) return hold(path, own);
    const { pid, isRunning } = await doubt.look();
    if (isRunning) throw new FileLockHeld(path, pid);
    await delay(RETRY_MILLISECONDS);
  }
}

/**
 * Measures for how long a lock that could not be taken has had no holder that runs. Between two processes that is a moment;
 * a file system that answers untruly, or a link that leads nowhere, would be asked for ever.
 */
class Doubt {
  private since: number | undefined;

  constructor(private readonly path: string) {}

  /**
   * @returns the process that the lock names, if there is one, and whether it runs
   * @throws LockUnusable if none has run for long
   */
  async look(): Promise<{ pid: number | undefined; isRunning: boolean }> {
    const holder = readHolder(this.path);
    const isRunning = holder !== undefined && (await isHolderAlive(holder));
    this.since = isRunning ? undefined : (this.since ?? performance.now());
    if (this.since !== undefined && performance.now() - this.since > UNTRUE_MILLISECONDS_MAX) {
      throw new LockUnusable(this.path);
    }
    return { pid: holder?.pid, isRunning };
  }
}

/** Removes what killed processes have left at a lock: one that they were about to take, and what takes one over. */
export async function removeLeftOvers(path: string): Promise<void> {
  const beside = (await readdir(dirname(path))).filter((name) => name.startsWith(`${basename(path)}.`));
  for (const name of beside) {
    const file = join(dirname(path), name);
    const holder = readLeft(file);
    if (holder === undefined) continue;
    // A file without content was just made, or its process was killed then.
    const isAlive = holder.text === '' ? isTouched(holder) : await isHolderAlive(holder);
    if (!isAlive) await release(file, holder.text);
  }
}

/** Reads a lock that a process may have left; undefined for a file that is no lock, which stays. */
function readLeft(file: string): Holder | undefined {
  try {
    return readHolder(file);
  } catch (error) {
    if (error instanceof FileRefused) return undefined;
    throw error;
  }
}

/** Touches a lock until it is released, because processes in other containers see the touch, not this process. */
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
  const deadline = performance.now() + WAIT_MILLISECONDS_MAX;
  const doubt = new Doubt(path);
  for (;;) {
    const own = await take(path);
    if (own !== undefined) return own;
    // Without a holder that runs, the lock is free in a moment, or the doubt ends the wait.
    const { pid, isRunning } = await doubt.look();
    if (isRunning && performance.now() > deadline) throw new FileLockHeld(path, pid);
    await delay(RETRY_MILLISECONDS);
  }
}

async function takePatiently(path: string, { interrupted, waiting }: PatientWait): Promise<string> {
  const doubt = new Doubt(path);
  for (let waits = 0; ; waits += 1) {
    const own = await take(path);
    if (own !== undefined) return own;
    interrupted?.throwIfAborted();
    const { pid } = await doubt.look();
    if (waits === 0 && pid !== undefined) waiting(pid);
    await delay(RETRY_MILLISECONDS);
  }
}

/**
 * Takes the lock with a link to a complete file, so that the lock is never visible without its holder.
 *
 * @returns the content of the new lock; undefined if it is held, or was held until now
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
    const found = readHolder(path);
    if (found !== undefined && !(await isHolderAlive(found))) await removeLeftOver(path, found);
    return undefined;
  } finally {
    await rm(file, { force: true });
  }
}

/**
 * Removes the lock of a process that has ended, and no other lock. The remover first takes a lock on that very content
 * and then reads the file again, and removes it only if it is unchanged. Moving the lock away to read it
 * would leave its place empty for a moment, which a third process could take.
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

/** The lock that is needed to remove a left lock with this content. If it is left itself, it is removed likewise. */
export function takeoverPath(path: string, text: string): string {
  return `${path}.${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
}

/** Removes a lock that only the caller may remove: its own, or one of which it holds the takeover lock. */
async function release(path: string, text: string): Promise<void> {
  if (readHolder(path)?.text === text) await rm(path, { force: true });
}
