import { inflateSync } from 'node:zlib';
import { unreadable } from '../remote-failure';

const CHUNK_BYTES_MIN = 64;
const CHUNK_BYTES_MAX = 64 * 1024;
const DEFLATED_BYTES_MIN = 1024;

/**
 * More bytes than any usual encoder needs for `size` bytes, incompressible ones and a fixed code included. A stream
 * that is longer is malformed here: what an object is must not depend on how much of its pack has arrived.
 */
export function deflatedBytesMax(size: number): number {
  return DEFLATED_BYTES_MIN + size + Math.ceil(size / 4);
}

/**
 * Inflates the stream that starts at `start` and must hold exactly `size` bytes.
 * The declared size is the limit of what is allocated, so a bomb ends at the first byte above it.
 *
 * @returns the content and the position after the stream
 * @throws RemoteFailure remote_unreadable
 */
export function inflate(pack: Buffer, start: number, size: number): { content: Buffer; end: number } {
  const { buffer, engine } = inflateAtMost(pack.subarray(start, start + deflatedBytesMax(size)), size);
  if (buffer.length !== size) throw unreadable('object of another size than declared');
  return { content: buffer, end: start + engine.bytesWritten };
}

/** What `inflateSync` returns with `info`; its published type lacks it. `bytesWritten` counts the input it used. */
interface Inflated {
  buffer: Buffer;
  engine: { bytesWritten: number };
}

function inflateAtMost(data: Buffer, size: number): Inflated {
  try {
    return inflateSync(data, {
      info: true,
      maxOutputLength: Math.max(size, 1),
      // Room for the whole object and one byte more: zlib then meets the end of the stream in one call.
      chunkSize: Math.min(Math.max(size + 1, CHUNK_BYTES_MIN), CHUNK_BYTES_MAX),
    }) as unknown as Inflated;
  } catch {
    throw unreadable('malformed object data');
  }
}
