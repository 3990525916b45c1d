import type { Readable } from 'node:stream';
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';

const LINES_KEPT = 20;

/** The server's stderr: its last lines kept for error texts, all of them in a file where one is named. */
export interface ServerLog {
  /** Calls back for each further line, until the stream ends. */
  onLine(listener: (line: string) => void): void;
  tail(): string;
}

/** Keeps the log file of the start before beside, as `<file>.1`. */
export async function keepLastLog(logFile: string): Promise<void> {
  await rename(logFile, `${logFile}.1`).catch(() => undefined);
}

/** Starts reading; who listens before the next turn of the event loop hears every line. */
export function readServerLog(stderr: Readable, logFile: string | undefined): ServerLog {
  const last: string[] = [];
  const lines = createInterface({ input: stderr });
  lines.on('line', (line) => {
    last.push(line);
    if (last.length > LINES_KEPT) last.shift();
  });
  if (logFile) {
    const file = createWriteStream(logFile, { mode: 0o600 });
    // A log that cannot be written (a full disk) must not take the database's owner down with it.
    file.on('error', () => stderr.unpipe(file));
    stderr.pipe(file);
  }
  return {
    onLine: (listener) => void lines.on('line', listener),
    tail: () => last.join('\n'),
  };
}
