import { parseInstant } from '@plat/contracts/core';
import { HASH_BYTES } from './hashes';
import { Malformed } from './malformed';

/** The kinds of entries: an audited request, a landing, a key of the log, or an erasure of fields. */
export const LEAF_KINDS = ['audit', 'landing', 'key', 'erasure'] as const;
export type LeafKind = (typeof LEAF_KINDS)[number];

/** An entry of the log. Its bytes, canonical JSON, are what is hashed. */
export interface Leaf {
  kind: LeafKind;
  /** The id of the audit event, of the review that landed, or of the key or erasure itself; lower case. */
  id: string;
  /** RFC 3339 UTC with six digits of microseconds. */
  at: string;
  /** Commitment to the fields that every reader of the log sees; 32 bytes. */
  open: Buffer;
  /** Commitment to the fields that the service keeps to itself; 32 bytes. */
  closed: Buffer;
}

/** Base64 of 32 bytes in its canonical form: the last digit has four bits, and two more that are zero. */
const HASH = '[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=';
const INSTANT = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z`;
const ID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const LEAF = new RegExp(
  `^\\{"at":"(${INSTANT})","closed":"(${HASH})","id":"(${ID})",` +
    `"kind":"(${LEAF_KINDS.join('|')})","open":"(${HASH})","v":1\\}$`,
);
const BYTES_MAX = 400;

/**
 * The bytes of an entry.
 *
 * @throws RangeError for a leaf that `parseLeaf` would not read
 */
export function formatLeaf({ at, closed, id, kind, open }: Leaf): Buffer {
  const base64 = (hash: Buffer) => hash.toString('base64');
  // The members are in canonical order, and no value has a character that JSON escapes.
  const text = `{"at":"${at}","closed":"${base64(closed)}","id":"${id}","kind":"${kind}","open":"${base64(open)}","v":1}`;
  if (readLeaf(text) === undefined) throw new RangeError(`This is no leaf: ${text}`);
  return Buffer.from(text);
}

/** @throws Malformed for bytes that `formatLeaf` never gives */
export function parseLeaf(bytes: Uint8Array): Leaf {
  // In Latin 1 each byte is a character, so that no two series of bytes are one text.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', 0, BYTES_MAX);
  const leaf = bytes.length <= BYTES_MAX ? readLeaf(text) : undefined;
  if (leaf === undefined) throw new Malformed('The entry is no leaf of version 1.');
  return leaf;
}

function readLeaf(text: string): Leaf | undefined {
  const [, at = '', closed = '', id = '', kind, open = ''] = LEAF.exec(text) ?? [];
  if (kind === undefined || parseInstant(at) !== at) return undefined;
  return { kind: kind as LeafKind, id, at, open: hashOf(open), closed: hashOf(closed) };
}

function hashOf(base64: string): Buffer {
  const hash = Buffer.allocUnsafe(HASH_BYTES);
  hash.write(base64, 'base64');
  return hash;
}
