import { generateKeyPairSync, sign } from 'node:crypto';
import { CompactSign, exportJWK } from 'jose';
import { ApiClient } from '@plat/api-client';
import { type AttestedMerge, IN_TOTO_TYPE, preAuthEncoding } from '@plat/contracts/core';
import type { Envelope } from '../attestations/check-envelope';
import type { PlatformDouble } from './platform-double';

/** A receipt that the platform double serves, and its key. */
export interface ServedReceipt {
  statement: AttestedMerge;
  keyId: string;
  /** Returns a DSSE envelope by the key of the receipt. */
  seal(statement: object): Envelope;
}

/**
 * Serves a receipt of these facts, signed with a key that the platform publishes.
 *
 * @param unsigned what is changed after the signature
 */
export async function serveReceipt(
  platform: PlatformDouble,
  facts: { reviewId: string } & Record<string, unknown>,
  unsigned: object = {},
): Promise<ServedReceipt> {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const path = `/v1/reviews/${facts.reviewId}/merge-receipt` as const;
  let receipt: Record<string, unknown> = facts;
  platform.answer(`GET ${path}`, () => ({ body: receipt }));
  const probe = new ApiClient({ baseUrl: platform.url, tokens: { current: () => 'access-1' } });
  // The platform double adds what an answer lacks, so the receipt is signed as it answers it.
  const whole = await probe.send<Record<string, unknown>>({ method: 'GET', path });
  const { jws: _unsigned, undoneWork: _advice, ...statement } = whole;
  const payload = Buffer.from(JSON.stringify(statement));
  const jws = await new CompactSign(payload).setProtectedHeader({ alg: 'EdDSA', kid: 'k' }).sign(privateKey);
  receipt = { ...whole, jws, ...unsigned };
  const key = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'EdDSA', use: 'sig' };
  platform.answer('GET /v1/merge-receipt-keys', { body: { keys: [key] } });
  return {
    statement: statement as unknown as AttestedMerge,
    keyId: 'k',
    seal: (attested) => {
      const bytes = Buffer.from(JSON.stringify(attested));
      const sig = sign(null, preAuthEncoding(IN_TOTO_TYPE, bytes), privateKey).toString('base64');
      return {
        payloadType: IN_TOTO_TYPE,
        payload: bytes.toString('base64'),
        signatures: [{ sig }],
      };
    },
  };
}
