import pino, { type DestinationStream, type Logger } from 'pino';
import { traceIds } from '@plat/telemetry';
import { openStandardOutput } from './log-output';

export type Log = Logger;

/** The process's log: JSON lines, by default on stdout, times in RFC 3339. */
export function createLog(
  service: string,
  level: string,
  destination: DestinationStream = openStandardOutput(),
): Log {
  return pino(
    { level, mixin: () => traceIds() ?? {}, base: { service }, timestamp: pino.stdTimeFunctions.isoTime },
    destination,
  );
}
