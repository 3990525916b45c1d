import { parseBase64 } from './base64';
import { HASH_BYTES } from './hashes';
import { Malformed } from './malformed';
import { openNote, parseNote } from './note';
import { isSize, type TreeHead } from './tree-size';
import type { VerifierKey } from './verifier-key';

/** The statement that a log signs: which log it is, its size and its root. C2SP tlog-checkpoint, "Note text". */
export interface Checkpoint extends TreeHead {
  origin: string;
  /** Lines after the root, which mean nothing to us. */
  extensions: readonly string[];
}

const DECIMAL = /^(?:0|[1-9]\d{0,15})$/;

/** The text of a checkpoint, to be signed. */
export function formatCheckpoint({ origin, size, rootHash }: TreeHead & { origin: string }): string {
  return `${origin}\n${size}\n${Buffer.from(rootHash).toString('base64')}\n`;
}

/**
 * Reads the text of a checkpoint, with the newline at its end.
 *
 * @throws Malformed if it is none, or its size is more than 2^53 - 1
 */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...rest] = text.split('\n');
  const rootHash = parseBase64(root, HASH_BYTES);
  if (origin === '') throw new Malformed('The checkpoint has no origin.');
  if (!DECIMAL.test(size) || !isSize(Number(size))) throw new Malformed('The checkpoint has no size.');
  if (rootHash === undefined) throw new Malformed('The checkpoint has no root of 32 bytes.');
  if (rest.pop() !== '' || rest.includes('')) throw new Malformed('The checkpoint has an empty line.');
  return { origin, size: Number(size), rootHash, extensions: rest };
}

/**
 * Reads a signed checkpoint.
 *
 * @param known keys; only those whose name is the checkpoint's origin count
 * @returns the checkpoint and the keys that have signed it, at least one
 * @throws Malformed if it is no signed checkpoint
 * @throws SignatureRefused if a signature by a known key is false, or there is none
 */
export function openCheckpoint(
  note: Uint8Array | string,
  known: readonly VerifierKey[],
): { checkpoint: Checkpoint; signedBy: VerifierKey[] } {
  const parsed = parseNote(note);
  const checkpoint = parseCheckpoint(parsed.text);
  const keys = known.filter(({ name }) => name === checkpoint.origin);
  return { checkpoint, signedBy: openNote(parsed, keys) };
}
