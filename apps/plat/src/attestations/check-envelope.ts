import { createPublicKey, type JsonWebKey, type KeyObject, verify } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { MergeAttestation, MergeReceiptKeySet } from '@plat/api-client';
import { IN_TOTO_TYPE, type InTotoStatement, preAuthEncoding } from '@plat/contracts/core';
import { Failure } from '../terminal/failure';

/** A DSSE envelope. */
export type Envelope = MergeAttestation['receipt'];

/**
 * Checks that one of the keys has signed the envelope, and that it has the statement that the receipt gives.
 *
 * @param expected makes the statement, for the id of the key; undefined if the receipt gives none
 * @returns the id of the key
 * @throws Failure ATTESTATION_NOT_SOUND
 */
export function checkEnvelope(
  envelope: Envelope,
  { keys }: MergeReceiptKeySet,
  expected: (keyId: string) => InTotoStatement | undefined,
): string {
  const { payloadType, payload, signatures } = envelope;
  const [signature] = signatures;
  if (payloadType !== IN_TOTO_TYPE) throw notSound(`it has the type ${payloadType}, and not ${IN_TOTO_TYPE}`);
  if (signature === undefined || signatures.length > 1) {
    throw notSound(`it has ${signatures.length} signatures, and not one`);
  }
  const bytes = Buffer.from(payload, 'base64');
  const signed = preAuthEncoding(payloadType, bytes);
  const sig = Buffer.from(signature.sig, 'base64');
  const key = keys.find((one) => verify(null, signed, readKey(one as unknown as JsonWebKey), sig));
  if (key === undefined) throw notSound('no known key has signed it');
  const statement = expected(key.kid);
  if (statement === undefined || !isDeepStrictEqual(readJson(bytes), { ...statement })) {
    throw notSound('it says something else than the receipt');
  }
  return key.kid;
}

/** @throws Failure ATTESTATION_NOT_SOUND */
function readKey(key: JsonWebKey): KeyObject {
  try {
    return createPublicKey({ key, format: 'jwk' });
  } catch {
    throw notSound('a key of the platform cannot be read');
  }
}

/** @returns undefined if it is no JSON */
function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The failure of an attestation that must not be passed on. */
export const notSound = (why: string): Failure =>
  new Failure('ATTESTATION_NOT_SOUND', `The attestation is refused: ${why}.`, {
    next: 'do not trust this attestation; ask the administrator of the platform for its keys, and pin them by --keys',
  });
