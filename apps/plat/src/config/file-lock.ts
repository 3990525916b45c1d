import { randomBytes } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, isThere } from '../processes/process-identity';
import { Failure } from '../terminal/failure';
import { makePrivateFolder } from './atomic-file';

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

/**
 * Runs the work while no other process of this machine holds the same lock.
 * The lock of a process that is gone is taken over.
 *
 * @param path the lock file; it exists while the lock is held, and names the process of its holder.
 * @param patience waits for as long as the holder lives
 * @throws Failure LOCKED after a minute without patience
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  patience?: PatientWait,
): Promise<T> {
  await makePrivateFolder(dirname(path));
  await (patience ? takePatiently(path, patience) : takeSoon(path));
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function takeSoon(path: string): Promise<void> {
  const deadline = Date.now() + WAIT_MILLISECONDS_MAX;
  while (!(await take(path))) {
    if (Date.now() > deadline)
      throw new Failure('LOCKED', `The process ${(await holder(path))?.pid} holds ${path}.`, {
        next: `rm ${path}`,
      });
    await delay(RETRY_MILLISECONDS);
  }
}

async function takePatiently(path: string, { interrupted, waiting }: PatientWait): Promise<void> {
  for (let waits = 0; !(await take(path)); waits += 1) {
    interrupted?.throwIfAborted();
    const pid = (await holder(path))?.pid;
    if (waits === 0 && pid !== undefined) waiting(pid);
    await delay(RETRY_MILLISECONDS);
  }
}

/** By a link to a finished file: nobody ever sees the lock without its holder. */
async function take(path: string): Promise<boolean> {
  const own = besides(path);
  try {
    const self = await identify(process.pid);
    await writeFile(own, `${process.pid} ${self?.began ?? ''}`, { flag: 'wx', mode: 0o600 });
    await link(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const found = await holder(path);
    if (found !== undefined && !(await lives(found))) await removeLeftOver(path, found);
    return false;
  } finally {
    await rm(own, { force: true });
  }
}

/** One process alone can move the file away. Was it a new holder's by then, it goes back. */
async function removeLeftOver(path: string, left: Holder): Promise<void> {
  const moved = besides(path);
  try {
    await rename(path, moved);
  } catch {
    return;
  }
  if ((await holder(moved))?.text !== left.text) await link(moved, path).catch(() => undefined);
  await rm(moved, { force: true });
}

interface Holder {
  /** The lock file's whole content. */
  text: string;
  pid: number;
  /** When the process began; empty where the machine does not tell. */
  began: string;
}

async function holder(path: string): Promise<Holder | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const [pid = '', ...began] = text.split(' ');
  return { text, pid: Number(pid), began: began.join(' ') };
}

/** A later process may have been given the id of one that was killed. */
async function lives({ pid, began }: Holder): Promise<boolean> {
  if (!isAlive(pid)) return false;
  return began === '' || isThere({ pid, began });
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
