import { HASH_BYTES, sha256 } from './hashes';

/** Length of a salt, in bytes. */
export const SALT_BYTES = 16;

/**
 * Commits to fields that a leaf does not show: SHA-256(salt || fields). Without the salt no one can guess the fields.
 *
 * @param salt 16 random bytes, used for nothing else
 * @param fields their canonical JSON
 * @returns 32 bytes
 * @throws RangeError for a salt of another length
 */
export function commitment(salt: Uint8Array, fields: string): Buffer {
  if (salt.length !== SALT_BYTES) throw new RangeError(`A salt of ${salt.length} bytes.`);
  return sha256(Buffer.concat([salt, Buffer.from(fields)]));
}

/** Whether these fields are those of a commitment. */
export function isCommitted(
  committed: Uint8Array,
  { salt, fields }: { salt: Uint8Array; fields: string },
): boolean {
  return (
    salt.length === SALT_BYTES &&
    committed.length === HASH_BYTES &&
    commitment(salt, fields).equals(committed)
  );
}
