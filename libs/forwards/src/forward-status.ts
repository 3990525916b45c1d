import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { olderLogOf } from './forward-record';
import { parseLogLine } from './log-entry';
import { isLedAway } from './own-place';

/** The last success and the last error in the log of a forward. */
export interface ForwardStatus {
  /** When a connection to the pod was last opened; an ISO time. */
  lastSuccess?: { at: string } | undefined;
  lastError?: { at: string; message: string } | undefined;
}

/** The end of a log that is read. */
const TAIL_BYTES = 256 * 1024;

/** Reads the end of a forward's log and, if that says nothing of one of both, of the older one. */
export async function forwardStatus(logPath: string): Promise<ForwardStatus> {
  const now = statusIn(await tailOf(logPath));
  if (now.lastSuccess !== undefined && now.lastError !== undefined) return now;
  const older = statusIn(await tailOf(olderLogOf(logPath)));
  return { lastSuccess: now.lastSuccess ?? older.lastSuccess, lastError: now.lastError ?? older.lastError };
}

function statusIn(text: string): ForwardStatus {
  const status: ForwardStatus = {};
  for (const line of text.split('\n')) {
    const entry = parseLogLine(line);
    if (entry === undefined) continue;
    const { at, event, message } = entry;
    if (event === 'opened') status.lastSuccess = { at };
    if (event === 'failed' || event === 'crashed' || event === 'gone') {
      status.lastError = { at, message: message ?? event };
    }
  }
  return status;
}

/** @returns an empty text if there is no regular file */
async function tailOf(path: string): Promise<string> {
  if (isLedAway(path)) return '';
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (file === undefined) return '';
  try {
    const state = await file.stat();
    if (!state.isFile()) return '';
    const length = Math.min(state.size, TAIL_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, state.size - length);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
