import { open } from 'node:fs/promises';
import { isAlive } from './process-alive';
import { isThere } from './process-identity';
import { spaceOf } from './process-space';

/** How often a holder touches its lock. */
export const BEAT_MILLISECONDS = 5000;
/** A holder elsewhere that has missed so many is gone. */
const SILENT_MILLISECONDS_MAX = 6 * BEAT_MILLISECONDS;

/** Who holds a lock. */
export interface HolderIdentity {
  pid: number;
  /** When the process began; empty where the machine does not tell. */
  began: string;
  /** Where its id counts; undefined in a lock of an earlier client. */
  space?: string | undefined;
  /** Another at each taking: no two locks have the same content. */
  nonce?: string | undefined;
}

/** A holder as its lock names it. */
export interface Holder extends HolderIdentity {
  /** The lock file's whole content. */
  text: string;
  /** When it last touched its lock; in milliseconds. */
  touchedAt: number;
}

export function lockText({ pid, began, space, nonce }: HolderIdentity): string {
  return [`${pid} ${began}`, space, nonce].join('\n');
}

/** @returns undefined when nobody holds the lock */
export async function readHolder(path: string): Promise<Holder | undefined> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!file) return undefined;
  try {
    const [text, { mtimeMs }] = [await file.readFile('utf8'), await file.stat()];
    const [process = '', space, nonce] = text.split('\n');
    const [pid = '', ...began] = process.split(' ');
    return { text, pid: Number(pid), began: began.join(' '), space, nonce, touchedAt: mtimeMs };
  } finally {
    await file.close();
  }
}

/**
 * Whether the holder is there. One in another container is not to be seen by its id, which may be somebody else's here:
 * its lock tells. A later process may have been given the id of one that was killed.
 */
export async function isHolderAlive({ pid, began, space, touchedAt }: Holder): Promise<boolean> {
  const where = spaceOf(space);
  if (where === 'gone') return false;
  if (where === 'elsewhere') return Date.now() - touchedAt < SILENT_MILLISECONDS_MAX;
  if (!isAlive(pid)) return false;
  return began === '' || isThere({ pid, began });
}
