import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isAlive } from './process-alive';
import { isThere } from './process-identity';
import { spaceOf } from './process-space';
import { FileRefused, readRegularFile } from './regular-file';

/** Interval at which a holder touches its lock. */
export const BEAT_MILLISECONDS = 5000;
/** A holder in another process space counts as ended after this time without a touch. */
const SILENT_MILLISECONDS_MAX = 6 * BEAT_MILLISECONDS;

/** The holder of a lock. */
export interface HolderIdentity {
  pid: number;
  /** When the process began; empty if the machine does not report it. */
  began: string;
  /** The space in which its id is valid. */
  space: string;
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

/** A lock has some hundred bytes. */
const LOCK_BYTES_MAX = 4096;

/**
 * Reads the holder of a lock. The lock may be in a folder that another person has made.
 *
 * @returns undefined if the lock is free
 * @throws FileRefused if what has its name is no lock, such as a pipe or a link
 */
export function readHolder(path: string): Holder | undefined {
  try {
    const bounds = { bytesMax: LOCK_BYTES_MAX, inside: dirname(path), mayBeLink: false };
    const text = readRegularFile(path, bounds).toString('utf8');
    const touchedAt = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (touchedAt === undefined) return undefined;
    const [process = '', space = '', nonce] = text.split('\n');
    const [pid = '', ...began] = process.split(' ');
    return { text, pid: Number(pid), began: began.join(' '), space, nonce, touchedAt };
  } catch (error) {
    // The second one is a lock that was released and taken again while it was read.
    if (error instanceof FileRefused && ['absent', 'replaced'].includes(error.fault)) return undefined;
    throw error;
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
