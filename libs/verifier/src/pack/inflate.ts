import { inflateSync } from 'node:zlib';
import { unreadable } from '../remote-failure';

const CHUNK_BYTES_MIN = 64;
const CHUNK_BYTES_MAX = 64 * 1024;
const DEFLATED_BYTES_MIN = 1024;

/**
 * Upper bound of the bytes that any usual encoder needs for `size` bytes, even for incompressible ones with a fixed
 * code. A longer stream counts as malformed, so that the result does not depend on how much of the pack has arrived.
 */
export function deflatedBytesMax(size: number): number {
  return DEFLATED_BYTES_MIN + size + Math.ceil(size / 4);
}

/**
 * Inflates the stream at `start`, which must hold exactly `size` bytes.
 * Allocation is limited to the declared size, so a bomb ends at the first byte above it.
 *
 * @returns the content and the position after the stream
 * @throws RemoteFailure remote_unreadable
 */
export function inflate(pack: Buffer, start: number, size: number): { content: Buffer; end: number } {
  const { buffer, engine } = inflateAtMost(pack.subarray(start, start + deflatedBytesMax(size)), size);
  if (buffer.length !== size) throw unreadable('object of another size than declared');
  return { content: buffer, end: start + engine.bytesWritten };
}

/**
 * The result of `inflateSync` with `info`, which its published type lacks. `bytesWritten` counts the consumed input.
 */
interface Inflated {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

function inflateAtMost(data: Buffer, size: number): Inflated {
  try {
    return inflateSync(data, {
      info: true,
      maxOutputLength: Math.max(size, 1),
      // One byte of room beyond the object makes zlib reach the end of the stream in one call.
      chunkSize: Math.min(Math.max(size + 1, CHUNK_BYTES_MIN), CHUNK_BYTES_MAX),
    }) as unknown as Inflated;
  } catch {
    throw unreadable('malformed object data');
  }
}
