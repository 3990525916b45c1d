import pino, { type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** Lines wait for each other, up to this many bytes or milliseconds: a write of its own for each is dear. */
const WRITE_BYTES = 4096;
const WRITE_AFTER_MS = 100;

/** The process's log: JSON lines, on stdout unless told otherwise, times in RFC 3339. */
export function createLog(
  service: string,
  level: string,
  destination: DestinationStream = pino.destination({
    dest: 1,
    sync: false,
    minLength: WRITE_BYTES,
    periodicFlush: WRITE_AFTER_MS,
  }),
): Log {
  return pino({ level, base: { service }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
