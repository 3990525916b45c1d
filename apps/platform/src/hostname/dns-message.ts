const HEADER_BYTES = 12;
const OPCODE_UPDATE = 5 << 11;
const TYPE = { A: 1, SOA: 6 } as const;
const CLASS = { IN: 1, ANY: 255 } as const;

/** The header flags that are checked in a reply. */
export const FLAG_REPLY = 0x8000;
export const FLAG_TRUNCATED = 0x0200;

/** The A record that replaces all others of its name; without an address, they are only removed. */
export interface RecordUpdate {
  zone: string;
  name: string;
  ipv4?: string;
  ttlSeconds: number;
}

/** The message of an UPDATE (RFC 2136): the name's A records are removed and, with an address, one is added. */
export function encodeUpdate(id: number, { zone, name, ipv4, ttlSeconds }: RecordUpdate): Buffer {
  const updates = [resourceRecord({ name, class: CLASS.ANY, ttlSeconds: 0, data: Buffer.alloc(0) })];
  if (ipv4 !== undefined) {
    const data = Buffer.from(ipv4.split('.').map(Number));
    updates.push(resourceRecord({ name, class: CLASS.IN, ttlSeconds, data }));
  }
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(OPCODE_UPDATE, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(updates.length, 8);
  return Buffer.concat([header, encodeName(zone), uint16(TYPE.SOA), uint16(CLASS.IN), ...updates]);
}

function resourceRecord(record: { name: string; class: number; ttlSeconds: number; data: Buffer }): Buffer {
  const { name, class: recordClass, ttlSeconds, data } = record;
  const ttl = Buffer.alloc(4);
  ttl.writeUInt32BE(ttlSeconds);
  return Buffer.concat([
    encodeName(name),
    uint16(TYPE.A),
    uint16(recordClass),
    ttl,
    uint16(data.length),
    data,
  ]);
}

export function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

/** A name in wire form, lower case and uncompressed. @throws RangeError for a label or name that is too long */
export function encodeName(name: string): Buffer {
  const labels = name.toLowerCase().replace(/\.$/, '').split('.');
  const encoded = Buffer.concat(
    labels.flatMap((label) => {
      if (label.length === 0 || label.length > 63) throw new RangeError(`no DNS name: ${name}`);
      return [Buffer.from([label.length]), Buffer.from(label, 'latin1')];
    }),
  );
  if (encoded.length > 254) throw new RangeError(`no DNS name: ${name}`);
  return Buffer.concat([encoded, Buffer.from([0])]);
}

/** Reads a name and the offset after it, following compression. @throws RangeError when the message ends early */
export function readName(message: Buffer, start: number): { name: string; end: number } {
  const labels: string[] = [];
  let place = start;
  let end: number | undefined;
  for (let hops = 0; hops <= 128; hops++) {
    const length = message.readUInt8(place);
    if (length === 0) return { name: labels.join('.').toLowerCase(), end: end ?? place + 1 };
    if (length >= 0xc0) {
      end ??= place + 2;
      place = message.readUInt16BE(place) & 0x3fff;
    } else {
      labels.push(message.subarray(place + 1, place + 1 + length).toString('latin1'));
      place += 1 + length;
    }
  }
  throw new RangeError('a name without an end');
}

/** The offset of the last resource record of a message; undefined when its additional section is empty. */
export function lastAdditional(message: Buffer): number | undefined {
  const [zones, prerequisites, updates, additional] = [4, 6, 8, 10].map((at) => message.readUInt16BE(at));
  if (additional === 0) return undefined;
  let place = HEADER_BYTES;
  for (let left = zones!; left > 0; left--) place = readName(message, place).end + 4;
  for (let left = prerequisites! + updates! + additional! - 1; left > 0; left--) {
    const { end } = readName(message, place);
    place = end + 10 + message.readUInt16BE(end + 8);
  }
  return place;
}
