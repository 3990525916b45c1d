import pino, { type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** The process's log: JSON lines, on stdout unless told otherwise, times in RFC 3339. */
export function createLog(
  service: string,
  level: string,
  destination: DestinationStream = pino.destination({ dest: 1, sync: false }),
): Log {
  return pino({ level, base: { service }, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}
