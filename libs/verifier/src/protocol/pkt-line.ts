import type { Budget } from '../budget';
import { unreadable } from '../remote-failure';

/** A line of git's wire format (gitprotocol-common): data, or one of three markers. */
export type Packet = Buffer | 'flush' | 'delimiter' | 'response-end';

const MARKERS: Packet[] = ['flush', 'delimiter', 'response-end'];
const LENGTH_CHARS = 4;

export function encodeLine(text: string): Buffer {
  const payload = Buffer.from(text);
  const length = (payload.length + LENGTH_CHARS).toString(16).padStart(LENGTH_CHARS, '0');
  return Buffer.concat([Buffer.from(length), payload]);
}

export const FLUSH = Buffer.from('0000');
export const DELIMITER = Buffer.from('0001');

/**
 * Reads the packets of an answer, up to the end of the stream.
 * @throws RemoteFailure remote_unreadable on a malformed length or an end in the middle of a packet, remote_too_large
 *   if there are too many packets
 */
export async function* readPackets(
  chunks: AsyncIterable<Uint8Array>,
  budget: Pick<Budget, 'chargePacket'>,
): AsyncGenerator<Packet, void, undefined> {
  const bytes = new ByteQueue();
  for await (const chunk of chunks) {
    bytes.push(chunk);
    for (;;) {
      const packet = nextPacket(bytes);
      if (packet === undefined) break;
      budget.chargePacket();
      yield packet;
    }
  }
  if (bytes.length > 0) throw unreadable('answer cut in the middle of a line');
}

function nextPacket(bytes: ByteQueue): Packet | undefined {
  const head = bytes.peek(LENGTH_CHARS);
  if (head === undefined) return undefined;
  const digits = head.toString('latin1');
  if (!/^[0-9a-f]{4}$/i.test(digits)) throw unreadable('malformed line length');
  const length = parseInt(digits, 16);
  if (length < MARKERS.length) {
    bytes.take(LENGTH_CHARS);
    return MARKERS[length];
  }
  if (length < LENGTH_CHARS) throw unreadable('malformed line length');
  return bytes.length < length ? undefined : bytes.take(length).subarray(LENGTH_CHARS);
}

/** Bytes that have arrived and are not consumed. They are joined once a whole line is there, even from small chunks. */
class ByteQueue {
  private chunks: Buffer[] = [];
  private head = Buffer.alloc(0);
  length = 0;

  push(chunk: Uint8Array): void {
    this.chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    this.length += chunk.byteLength;
  }

  peek(count: number): Buffer | undefined {
    if (this.length < count) return undefined;
    this.join(count);
    return this.head.subarray(0, count);
  }

  take(count: number): Buffer {
    this.join(count);
    const taken = this.head.subarray(0, count);
    this.head = this.head.subarray(count);
    this.length -= count;
    return taken;
  }

  private join(count: number): void {
    if (this.head.length >= count) return;
    this.head = Buffer.concat([this.head, ...this.chunks]);
    this.chunks = [];
  }
}
