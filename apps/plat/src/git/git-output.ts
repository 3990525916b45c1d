import type { Readable } from 'node:stream';

/** More than git prints of any repository that a checkout can hold. */
const STDOUT_BYTES_MAX = 256 * 1024 * 1024;
/** Messages on stderr beyond this come from a remote that sends them without an end. */
const STDERR_BYTES_MAX = 16 * 1024 * 1024;
/** The last messages, which have the reason of a failure. */
const STDERR_BYTES_KEPT = 1024 * 1024;

/** The output of a process on one stream. */
export interface Printed {
  /** The bytes that are kept, once the stream has ended. */
  bytes(): Buffer;
}

/** Keeps a whole stdout. @param exceeded called once if it is too large; no more is kept then */
export function keepStdout(stream: Readable | null, exceeded: () => void): Printed {
  const chunks: Buffer[] = [];
  readUpTo(stream, (chunk) => chunks.push(chunk), { bytesMax: STDOUT_BYTES_MAX, exceeded });
  return { bytes: () => Buffer.concat(chunks) };
}

/**
 * Keeps the last whole lines of a stderr.
 *
 * @param exceeded called once if it does not come to an end; undefined: it may be of any length
 */
export function keepStderr(stream: Readable | null, exceeded?: () => void): Printed {
  let chunks: Buffer[] = [];
  let [size, isCut] = [0, false];
  const keep = (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    // Twice as much is collected, so that each byte is copied at most once more.
    if (size < 2 * STDERR_BYTES_KEPT) return;
    chunks = [Buffer.concat(chunks).subarray(-STDERR_BYTES_KEPT)];
    [size, isCut] = [STDERR_BYTES_KEPT, true];
  };
  readUpTo(stream, keep, { bytesMax: STDERR_BYTES_MAX, exceeded });
  return {
    bytes: () => {
      const kept = Buffer.concat(chunks);
      // The rest of a line could be an address whose password is no longer recognized.
      return isCut ? kept.subarray(kept.indexOf('\n') + 1 || kept.length) : kept;
    },
  };
}

interface Bound {
  bytesMax: number;
  exceeded: (() => void) | undefined;
}

function readUpTo(
  stream: Readable | null,
  keep: (chunk: Buffer) => unknown,
  { bytesMax, exceeded }: Bound,
): void {
  let size = 0;
  const count = (chunk: Buffer) => {
    size += chunk.length;
    if (exceeded === undefined || size <= bytesMax) return keep(chunk);
    stream?.off('data', count);
    // The process may end only after it has written the rest.
    stream?.resume();
    exceeded();
  };
  stream?.on('data', count);
}
