import type { JWK } from 'jose';

/** Most keys of an issuer. All of them are looked through for each token, and issuers have a handful. */
const KEYS_MAX = 100;
/** Longest modulus and exponent of an RSA key, in characters of base64url: 8192 bits and 64 bits. */
const MODULUS_LENGTH_MAX = 1366;
const EXPONENT_LENGTH_MAX = 11;

/**
 * The keys of an issuer's document by which a signature is checked at no great cost. An issuer is believed for its own tenants,
 * and must not delay those of others: by keys without number, which each token that names it would look through, or by an RSA
 * key with which one check takes long.
 *
 * @throws Error for what is no list of keys, or one that is too long
 */
export function usableKeys(listed: unknown): JWK[] {
  if (!Array.isArray(listed)) throw new Error('it lists no keys');
  if (listed.length > KEYS_MAX) throw new Error(`it lists more than ${KEYS_MAX} keys`);
  return (listed as (JWK | null)[]).filter((key): key is JWK => key !== null && isCheap(key));
}

function isCheap({ kty, n, e }: JWK): boolean {
  if (kty !== 'RSA') return true;
  return isWithin(n, MODULUS_LENGTH_MAX) && isWithin(e, EXPONENT_LENGTH_MAX);
}

const isWithin = (text: unknown, lengthMax: number): boolean =>
  typeof text === 'string' && text.length <= lengthMax;
