import { connect, type Socket } from 'node:net';
import { CHUNK, type Errand, orderOf } from './exchange';

/** The cost of a connection, in milliseconds. */
export interface Called {
  firstByteMs: number;
  totalMs: number;
}

/**
 * Connects to a forward and runs an errand through it.
 *
 * @throws Error if fewer bytes arrive than were asked for
 */
export function call(port: number, errand: Errand, bytes: number): Promise<Called> {
  const startedAt = performance.now();
  const expected = errand === 'download' ? bytes : 1;
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let [received, firstByteMs] = [0, 0];
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`${received} of ${expected} bytes arrived`)));
    socket.on('data', (chunk: Buffer) => {
      if (received === 0) firstByteMs = performance.now() - startedAt;
      received += chunk.length;
      if (received < expected) return;
      resolve({ firstByteMs, totalMs: performance.now() - startedAt });
      // As most programs do: it closes both directions.
      socket.destroy();
    });
    socket.write(orderOf(errand, bytes));
    if (errand === 'upload') upload(socket, bytes);
  });
}

function upload(socket: Socket, bytes: number): void {
  let left = bytes;
  const more = () => {
    while (left > 0) {
      const chunk = left < CHUNK.length ? CHUNK.subarray(0, left) : CHUNK;
      left -= chunk.length;
      if (!socket.write(chunk)) return void socket.once('drain', more);
    }
  };
  more();
}

/** @returns the milliseconds until all have their byte, and how many have failed */
export async function callAtOnce(port: number, count: number): Promise<{ totalMs: number; failed: number }> {
  const startedAt = performance.now();
  const called = await Promise.allSettled(Array.from({ length: count }, () => call(port, 'download', 1)));
  const failed = called.filter(({ status }) => status === 'rejected').length;
  return { totalMs: performance.now() - startedAt, failed };
}

/** Opens connections in turn, some at a time. @returns how many failed */
export async function callOften(port: number, count: number, signal: AbortSignal): Promise<number> {
  let [left, failed] = [count, 0];
  const caller = async () => {
    while (left-- > 0) {
      signal.throwIfAborted();
      await call(port, 'download', 1).catch(() => failed++);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, caller));
  return failed;
}

const AT_A_TIME = 8;
