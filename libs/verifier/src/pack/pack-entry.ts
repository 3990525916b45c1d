import { unreadable } from '../remote-failure';
import type { ObjectType } from './object-id';

/** One entry of a pack as its header declares it (gitformat-pack, Pack file entries). */
export type PackEntry = {
  /** Offset of the entry, which an offset delta counts back to. */
  offset: number;
  /** Offset of its deflated data. */
  start: number;
  /** Bytes of the inflated data; for a delta, of its instructions. */
  size: number;
} & (
  { type: ObjectType } | { type: 'offset-delta'; baseOffset: number } | { type: 'id-delta'; baseId: string }
);

const TYPES: Record<number, ObjectType | 'offset-delta' | 'id-delta'> = {
  1: 'commit',
  2: 'tree',
  3: 'blob',
  4: 'tag',
  6: 'offset-delta',
  7: 'id-delta',
};
const ID_BYTES = 20;
const HEADER_BYTES = 12;
/** Most bytes of a size or an offset. A longer number exceeds any possible pack. */
const NUMBER_BYTES_MAX = 7;
/** The byte with the kind, the further bytes of the size, and the base: an id, which is longer than an offset. */
export const ENTRY_HEAD_BYTES_MAX = 1 + NUMBER_BYTES_MAX + 1 + ID_BYTES;

/** @throws RemoteFailure remote_unreadable */
export function readPackEntry(pack: Buffer, offset: number): PackEntry {
  const first = byteAt(pack, offset);
  const type = TYPES[(first >> 4) & 0x07];
  if (type === undefined) throw unreadable('unknown kind of object');
  const { size, end } = readSize(pack, offset, first);
  switch (type) {
    case 'offset-delta': {
      const back = readBackwardOffset(pack, end);
      const baseOffset = offset - back.value;
      // With an offset of 0 the entry would be its own base.
      if (back.value <= 0 || baseOffset < HEADER_BYTES) throw unreadable('delta base outside of the pack');
      return { type, offset, start: back.end, size, baseOffset };
    }
    case 'id-delta': {
      const baseId = pack.toString('hex', end, end + ID_BYTES);
      if (baseId.length !== 2 * ID_BYTES) throw unreadable('pack cut');
      return { type, offset, start: end + ID_BYTES, size, baseId };
    }
    default:
      return { type, offset, start: end, size };
  }
}

/** Reads a size: four bits, then seven a byte, lowest first. */
function readSize(pack: Buffer, offset: number, first: number): { size: number; end: number } {
  let size = first & 0x0f;
  let byte = first;
  let end = offset + 1;
  for (let bits = 4; byte & 0x80; bits += 7) {
    if (end - offset > NUMBER_BYTES_MAX) throw unreadable('object size out of range');
    byte = byteAt(pack, end);
    size += (byte & 0x7f) * 2 ** bits;
    end += 1;
  }
  return { size, end };
}

/** Reads an offset: seven bits a byte, highest first, each continuation adding one. */
function readBackwardOffset(pack: Buffer, start: number): { value: number; end: number } {
  let byte = byteAt(pack, start);
  let value = byte & 0x7f;
  let end = start + 1;
  while (byte & 0x80) {
    if (end - start > NUMBER_BYTES_MAX) throw unreadable('delta base out of range');
    byte = byteAt(pack, end);
    value = (value + 1) * 128 + (byte & 0x7f);
    end += 1;
  }
  return { value, end };
}

function byteAt(pack: Buffer, position: number): number {
  const byte = pack[position];
  if (byte === undefined) throw unreadable('pack cut');
  return byte;
}
