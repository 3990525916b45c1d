import { Malformed } from './malformed';

/** Largest entry, in bytes: its length is written in two. */
export const ENTRY_BYTES_MAX = 65_535;

const LENGTH_BYTES = 2;

/**
 * The bytes of a bundle: each entry after its length, two bytes big-endian. C2SP tlog-tiles, "Log entries".
 *
 * @throws RangeError for an entry of more than 65,535 bytes
 */
export function encodeEntries(entries: readonly Uint8Array[]): Buffer {
  const tooLong = entries.find(({ length }) => length > ENTRY_BYTES_MAX);
  if (tooLong) throw new RangeError(`An entry has ${tooLong.length} bytes; ${ENTRY_BYTES_MAX} are allowed.`);
  const bytes = Buffer.allocUnsafe(entries.reduce((sum, { length }) => sum + LENGTH_BYTES + length, 0));
  let at = 0;
  for (const entry of entries) {
    at = bytes.writeUInt16BE(entry.length, at);
    bytes.set(entry, at);
    at += entry.length;
  }
  return bytes;
}

/**
 * The entries of a bundle, as views of its bytes.
 *
 * @param width the number of entries that it must have
 * @throws Malformed if it has fewer entries, or bytes after them
 */
export function decodeEntries(bundle: Uint8Array, width: number): Buffer[] {
  const bytes = Buffer.from(bundle.buffer, bundle.byteOffset, bundle.byteLength);
  const entries: Buffer[] = [];
  let at = 0;
  while (entries.length < width) {
    const start = at + LENGTH_BYTES;
    const end = start <= bytes.length ? start + bytes.readUInt16BE(at) : Infinity;
    if (end > bytes.length) {
      throw new Malformed(`The bundle ends within entry ${entries.length} of ${width}.`);
    }
    entries.push(bytes.subarray(start, end));
    at = end;
  }
  if (at < bytes.length) throw new Malformed(`The bundle goes on after its ${width} entries.`);
  return entries;
}
