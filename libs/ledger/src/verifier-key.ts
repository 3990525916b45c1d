import { createPublicKey, type KeyObject } from 'node:crypto';
import { parseBase64 } from './base64';
import { sha256 } from './hashes';
import { Malformed } from './malformed';

/** An Ed25519 key that notes are verified with. C2SP signed-note, "Verifier keys". */
export interface VerifierKey {
  /** The name of the key; for the key of a log, the log's origin. */
  name: string;
  /** Eight digits, hexadecimal; name and id together say which key it is. */
  keyId: string;
  /** 32 bytes. */
  publicKey: Buffer;
}

const ED25519 = Buffer.from([0x01]);
const PUBLIC_KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const NOT_IN_NAMES = /[\p{White_Space}\p{Cc}+]/u;

/** Whether a key may have this name: not empty, without white space, control characters and `+`. */
export const isKeyName = (name: string): boolean =>
  name !== '' && name.isWellFormed() && !NOT_IN_NAMES.test(name);

/**
 * @param publicKey 32 bytes, or an Ed25519 key, private or public
 * @throws RangeError for another key, or a name that no key may have
 */
export function verifierKeyOf(name: string, publicKey: Uint8Array | KeyObject): VerifierKey {
  if (!isKeyName(name)) throw new RangeError(`No key may have the name ${JSON.stringify(name)}.`);
  const bytes = publicKey instanceof Uint8Array ? Buffer.from(publicKey) : publicKeyBytes(publicKey);
  if (bytes.length !== PUBLIC_KEY_BYTES) throw new RangeError(`A public key has ${bytes.length} bytes.`);
  const id = sha256(Buffer.concat([Buffer.from(`${name}\n`), ED25519, bytes])).subarray(0, KEY_ID_BYTES);
  return { name, keyId: id.toString('hex'), publicKey: bytes };
}

/**
 * The 32 bytes of a key's public half.
 *
 * @throws RangeError if it is no Ed25519 key
 */
export function publicKeyBytes(key: KeyObject): Buffer {
  if (key.asymmetricKeyType !== 'ed25519') throw new RangeError('The key is no Ed25519 key.');
  const jwk = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' });
  return Buffer.from(jwk.x!, 'base64url');
}

/** The key as text: `<name>+<key id>+<base64 of 0x01 and the public key>`. */
export function formatVerifierKey({ name, keyId, publicKey }: VerifierKey): string {
  return `${name}+${keyId}+${Buffer.concat([ED25519, publicKey]).toString('base64')}`;
}

/** @throws Malformed if the text is no Ed25519 key, or its id is not that of its name and public key */
export function parseVerifierKey(text: string): VerifierKey {
  const [name = '', keyId, ...rest] = text.split('+');
  // Base64 may have a `+` itself.
  const bytes = parseBase64(rest.join('+'), ED25519.length + PUBLIC_KEY_BYTES);
  if (!isKeyName(name) || keyId === undefined || bytes === undefined) {
    throw new Malformed('The text is no key: <name>+<8 hexadecimal digits>+<base64 of an Ed25519 key>.');
  }
  if (bytes[0] !== ED25519[0]) throw new Malformed('The key is for another algorithm than Ed25519.');
  const key = verifierKeyOf(name, bytes.subarray(1));
  if (key.keyId !== keyId) throw new Malformed('The key’s id is not that of its name and public key.');
  return key;
}

/** The key as `node:crypto` takes it. */
export function keyObjectOf({ publicKey }: VerifierKey): KeyObject {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') };
  return createPublicKey({ key: jwk, format: 'jwk' });
}
