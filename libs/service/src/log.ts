import pino, { type Logger } from 'pino';

export type Log = Logger;

/** The process's log: JSON lines on stdout, times in RFC 3339. */
export function createLog(service: string, level: string): Log {
  return pino(
    { level, base: { service }, timestamp: pino.stdTimeFunctions.isoTime },
    pino.destination({ dest: 1, sync: false }),
  );
}
