import { unreadable } from '../remote-failure';

/** The sizes that a delta declares at its start (gitformat-pack, Deltified representation). */
export interface DeltaHead {
  baseSize: number;
  targetSize: number;
  /** Offset of the instructions. */
  start: number;
}

/** @throws RemoteFailure remote_unreadable */
export function readDeltaHead(delta: Buffer): DeltaHead {
  const base = readSize(delta, 0);
  const target = readSize(delta, base.end);
  return { baseSize: base.value, targetSize: target.value, start: target.end };
}

/**
 * Applies a delta. The caller has charged `targetSize`, which is allocated here. No instruction may write past it or
 * read outside the base.
 *
 * @throws RemoteFailure remote_unreadable
 */
export function applyDelta(base: Buffer, delta: Buffer, head: DeltaHead): Buffer {
  if (head.baseSize !== base.length) throw unreadable('delta for another base');
  const target = Buffer.allocUnsafe(head.targetSize);
  let read = head.start;
  let written = 0;
  while (read < delta.length) {
    const instruction = byteAt(delta, read);
    if (instruction === 0) throw unreadable('reserved delta instruction');
    if (instruction & 0x80) {
      const copy = readCopy(delta, read);
      if (copy.offset + copy.size > base.length || written + copy.size > target.length) {
        throw unreadable('delta out of range');
      }
      base.copy(target, written, copy.offset, copy.offset + copy.size);
      written += copy.size;
      read = copy.end;
    } else {
      const end = read + 1 + instruction;
      if (end > delta.length || written + instruction > target.length) throw unreadable('delta out of range');
      delta.copy(target, written, read + 1, end);
      written += instruction;
      read = end;
    }
  }
  if (written !== target.length) throw unreadable('delta of another size than declared');
  return target;
}

/** Reads a size of seven bits a byte, lowest first. */
function readSize(delta: Buffer, start: number): { value: number; end: number } {
  let value = 0;
  for (let index = 0; index < 5; index += 1) {
    const byte = byteAt(delta, start + index);
    value += (byte & 0x7f) * 2 ** (7 * index);
    if (!(byte & 0x80)) return { value, end: start + index + 1 };
  }
  throw unreadable('delta size out of range');
}

/** Reads a copy. The low bits of the instruction say which of four offset and three size bytes follow. */
function readCopy(delta: Buffer, position: number): { offset: number; size: number; end: number } {
  const instruction = byteAt(delta, position);
  let end = position + 1;
  const field = (bits: number[]): number =>
    bits.reduce((value, bit, index) => {
      if (!(instruction & bit)) return value;
      end += 1;
      return value + byteAt(delta, end - 1) * 2 ** (8 * index);
    }, 0);
  const offset = field([0x01, 0x02, 0x04, 0x08]);
  const size = field([0x10, 0x20, 0x40]);
  return { offset, size: size === 0 ? 0x10000 : size, end };
}

function byteAt(delta: Buffer, position: number): number {
  const byte = delta[position];
  if (byte === undefined) throw unreadable('delta cut');
  return byte;
}
