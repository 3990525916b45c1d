import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';

/** An entry of a pack that no honest server sends. `declaredSize` replaces the true size of the data. */
export type CraftedEntry = { declaredSize?: number } & (
  | { type: 'commit' | 'tree' | 'blob' | 'tag'; content: Buffer | string }
  | { type: 'offset-delta'; back: number; delta: Buffer }
  | { type: 'id-delta'; baseId: string; delta: Buffer }
);

export interface CraftedPackOptions {
  /** The number of objects that the header declares. Default: the true one. */
  declaredCount?: number;
  version?: number;
  /** Bytes between the last object and the checksum. */
  trailing?: Buffer;
  /** Default: the true one. */
  checksum?: Buffer;
}

const TYPES = { commit: 1, tree: 2, blob: 3, tag: 4, 'offset-delta': 6, 'id-delta': 7 };

export function craftPack(entries: readonly CraftedEntry[], options: CraftedPackOptions = {}): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK');
  head.writeUInt32BE(options.version ?? 2, 4);
  head.writeUInt32BE(options.declaredCount ?? entries.length, 8);
  const body = Buffer.concat([head, ...entries.map(craftEntry), options.trailing ?? Buffer.alloc(0)]);
  return Buffer.concat([body, options.checksum ?? createHash('sha1').update(body).digest()]);
}

/** The bytes of an entry in its pack. An offset delta after the entry counts these bytes to go back to it. */
export function craftEntry(entry: CraftedEntry): Buffer {
  const data = 'delta' in entry ? entry.delta : Buffer.from(entry.content);
  const base =
    entry.type === 'offset-delta'
      ? backwardOffset(entry.back)
      : entry.type === 'id-delta'
        ? Buffer.from(entry.baseId, 'hex')
        : Buffer.alloc(0);
  return Buffer.concat([
    entryHead(TYPES[entry.type], entry.declaredSize ?? data.length),
    base,
    deflateSync(data),
  ]);
}

/** A delta with any declared sizes; see `copyInstruction` for one that costs seven bytes and yields 16 MiB. */
export function craftDelta(baseSize: number, targetSize: number, ...instructions: Buffer[]): Buffer {
  return Buffer.concat([deltaSize(baseSize), deltaSize(targetSize), ...instructions]);
}

export function copyInstruction(offset: number, size: number): Buffer {
  const instruction = Buffer.alloc(8);
  instruction[0] = 0xff;
  instruction.writeUInt32LE(offset, 1);
  instruction.writeUIntLE(size, 5, 3);
  return instruction;
}

export function insertInstruction(text: string): Buffer {
  return Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]);
}

export function objectId(type: 'commit' | 'tree' | 'blob' | 'tag', content: Buffer | string): string {
  const bytes = Buffer.from(content);
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}

function entryHead(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 0x0f)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) as number) | 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}

function deltaSize(size: number): Buffer {
  const bytes = [size & 0x7f];
  for (let rest = Math.floor(size / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) as number) | 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}

function backwardOffset(back: number): Buffer {
  const bytes = [back & 0x7f];
  for (let rest = Math.floor(back / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1;
    bytes.unshift(0x80 | (rest & 0x7f));
  }
  return Buffer.from(bytes);
}
