import { open } from 'node:fs/promises';
import { isAlive } from './process-alive';
import { isThere } from './process-identity';
import { spaceOf } from './process-space';

/** Interval at which a holder touches its lock. */
export const BEAT_MILLISECONDS = 5000;
/** A holder in another process space counts as ended after so long without a touch. */
const SILENT_MILLISECONDS_MAX = 6 * BEAT_MILLISECONDS;

/** The holder of a lock. */
export interface HolderIdentity {
  pid: number;
  /** When the process began; empty if the machine does not report it. */
  began: string;
  /** The space in which its id is valid; undefined in a lock of an earlier client. */
  space?: string | undefined;
  /** Different for each lock, so that no two locks have the same content. */
  nonce?: string | undefined;
}

/** The holder that a lock names. */
export interface Holder extends HolderIdentity {
  /** The lock file's whole content. */
  text: string;
  /** When it last touched its lock, in milliseconds. */
  touchedAt: number;
}

export function lockText({ pid, began, space, nonce }: HolderIdentity): string {
  return [`${pid} ${began}`, space, nonce].join('\n');
}

/** @returns undefined if the lock is free */
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
 * Whether the holder still runs. The id of a holder in another container may belong to another process here, so its
 * touches decide. An id here may have been assigned again after its process was killed, so the process's beginning is
 * compared.
 */
export async function isHolderAlive(holder: Holder): Promise<boolean> {
  const { pid, began, space } = holder;
  const where = spaceOf(space);
  if (where === 'gone') return false;
  if (where === 'elsewhere') return isTouched(holder);
  if (!isAlive(pid)) return false;
  return began === '' || isThere({ pid, began });
}

/** Whether its holder has touched a lock so lately that it may run. */
export const isTouched = ({ touchedAt }: Holder): boolean => Date.now() - touchedAt < SILENT_MILLISECONDS_MAX;
