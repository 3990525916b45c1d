import type { Readable } from 'node:stream';

/** More than any answer of a cluster that is read here. A hostile API server answers without an end. */
export const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Keeps the text of a program's stream.
 *
 * @param exceeded called once if it is too long; no more is kept then
 */
export function keepText(stream: Readable | null, exceeded: () => void): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const keep = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= OUTPUT_BYTES_MAX) return void chunks.push(chunk);
    stream?.off('data', keep);
    // The program may end only after it has written the rest.
    stream?.resume();
    exceeded();
  };
  stream?.on('data', keep);
  return () => Buffer.concat(chunks).toString('utf8');
}
