import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const LINES_KEPT = 20;

/** The server's stderr. Its last lines are kept for error texts, and all of them go to a file if one is named. */
export interface ServerLog {
  /** Calls back for each further line, until the stream ends. */
  onLine(listener: (line: string) => void): void;
  tail(): string;
}

/** Renames the log file of the start before to `<file>.1`. */
export async function keepLastLog(logFile: string): Promise<void> {
  await rename(logFile, `${logFile}.1`).catch(() => undefined);
}

/** Starts reading. A listener that is added before the next turn of the event loop gets every line. */
export function readServerLog(stderr: Readable, logFile: string | undefined): ServerLog {
  const last: string[] = [];
  const lines = createInterface({ input: stderr });
  lines.on('line', (line) => {
    last.push(line);
    if (last.length > LINES_KEPT) last.shift();
  });
  if (logFile) {
    const file = createWriteStream(logFile, { mode: 0o600 });
    // A log that cannot be written (a full disk) must not end this process.
    file.on('error', () => stderr.unpipe(file));
    stderr.pipe(file);
  }
  return {
    onLine: (listener) => void lines.on('line', listener),
    tail: () => last.join('\n'),
  };
}
