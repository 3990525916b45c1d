import { hash } from 'node:crypto';

/** Length of each hash of a log, in bytes. */
export const HASH_BYTES = 32;

const LEAF_PREFIX = 0x00;
const NODE_PREFIX = 0x01;

/** SHA-256 of some bytes or of a text in UTF-8. */
export const sha256 = (data: Uint8Array | string): Buffer => hash('sha256', data, 'buffer');

/** The root of a log without entries: the hash of nothing. RFC 6962, section 2.1. */
export const EMPTY_ROOT = sha256('');

/** The hash of an entry: SHA-256(0x00 || entry). RFC 6962, section 2.1. */
export function leafHash(entry: Uint8Array): Buffer {
  const input = Buffer.allocUnsafe(entry.length + 1);
  input[0] = LEAF_PREFIX;
  input.set(entry, 1);
  return sha256(input);
}

/** Hashing is synchronous, so one input serves all calls; a new one for each would take half of the time. */
const nodeInput = Buffer.alloc(1 + 2 * HASH_BYTES);
nodeInput[0] = NODE_PREFIX;

/** The hash of an inner node: SHA-256(0x01 || left || right), of two hashes of 32 bytes. RFC 6962, section 2.1. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  nodeInput.set(left, 1);
  nodeInput.set(right, 1 + HASH_BYTES);
  return sha256(nodeInput);
}

/** Whether these are two equal hashes of 32 bytes. */
export function sameHash(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === HASH_BYTES && Buffer.compare(one, other) === 0;
}
