import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { StoredObject } from './stored-objects';

const TYPES = { commit: 1, tree: 2, blob: 3 } as const;

/** Objects as a pack file of version 2, without deltas. */
export function packOf(objects: readonly StoredObject[]): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  head.writeUInt32BE(objects.length, 8);
  const pack = Buffer.concat([head, ...objects.map(entryOf)]);
  return Buffer.concat([pack, createHash('sha1').update(pack).digest()]);
}

/** Compressed objects. An object is sent in many packs, but compressed once. */
const entries = new WeakMap<StoredObject, Buffer>();

function entryOf(object: StoredObject): Buffer {
  const known = entries.get(object);
  if (known !== undefined) return known;
  const entry = Buffer.concat([headOf(object), deflateSync(object.content, { level: 1 })]);
  entries.set(object, entry);
  return entry;
}

/** Type and size: 4 bits of the size next to the type, then 7 bits a byte, the lowest first. */
function headOf({ type, content: { length } }: StoredObject): Buffer {
  const bytes = [(TYPES[type] << 4) | (length & 15)];
  for (let rest = length >> 4; rest > 0; rest >>= 7) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}
