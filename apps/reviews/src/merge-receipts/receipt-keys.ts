import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { calculateJwkThumbprint, CompactSign } from 'jose';
import { ApiError, IN_TOTO_TYPE, type InTotoStatement, preAuthEncoding } from '@plat/contracts/core';
import type { AttestationEnvelope, MergeReceiptKey } from '@plat/contracts/reviews';

const PUBLIC_KEYS = /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g;
const TYPE = 'plat-merge-receipt';

/** Reads an Ed25519 private key, PKCS#8 in PEM. @throws Error for any other text */
export function readSigningKey(pem: string): KeyObject {
  return expectEd25519(createPrivateKey(pem));
}

/** Reads Ed25519 public keys, SPKI in PEM, one after the other. @throws Error for any other text */
export function readPublicKeys(pems: string): KeyObject[] {
  const found = pems.match(PUBLIC_KEYS) ?? [];
  if (found.length === 0) throw new Error('no public key');
  return found.map((pem) => expectEd25519(createPublicKey(pem)));
}

function expectEd25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('no Ed25519 key');
  return key;
}

/**
 * The keys of merge receipts. One key signs. Earlier keys stay public, so that old receipts can still be checked.
 * The id of a key is its RFC 7638 thumbprint.
 */
export class ReceiptKeys {
  private published: Promise<MergeReceiptKey[]> | undefined;

  private signing: KeyObject | undefined;
  private former: readonly KeyObject[] = [];

  /** @param signing absent if the deployment signs no receipts */
  constructor(signing: KeyObject | undefined, former: readonly KeyObject[]) {
    this.replace(signing, former);
  }

  /** Signs with another key from now on. The key before stays public as long as the process runs. */
  replace(signing: KeyObject | undefined, former: readonly KeyObject[]): void {
    const signedBefore = this.signing === undefined ? [] : [createPublicKey(this.signing)];
    const known = [...former, ...signedBefore, ...this.former];
    const own = signing === undefined ? [] : [createPublicKey(signing)];
    this.former = known.filter(
      (key, at) => ![...own, ...known.slice(0, at)].some((other) => other.equals(key)),
    );
    this.signing = signing;
    this.published = undefined;
  }

  /** The public keys, the signing key first. */
  publicKeys(): Promise<MergeReceiptKey[]> {
    const signing = this.signing === undefined ? [] : [createPublicKey(this.signing)];
    this.published ??= Promise.all([...signing, ...this.former].map(publicKeyOf));
    return this.published;
  }

  /** Returns a compact JWS over the statement. @throws NOT_IMPLEMENTED when there is no signing key */
  async sign(statement: object): Promise<string> {
    const { signing, published } = await this.requireSigning();
    return new CompactSign(Buffer.from(JSON.stringify(statement)))
      .setProtectedHeader({ alg: published.alg, kid: published.kid, typ: TYPE })
      .sign(signing);
  }

  /** The key that signs attestations now. @throws NOT_IMPLEMENTED when there is no signing key */
  async signingKey(): Promise<AttestationKey> {
    const { signing, published } = await this.requireSigning();
    return { id: published.kid, seal: (statement) => seal(statement, signing) };
  }

  private async requireSigning(): Promise<{ signing: KeyObject; published: MergeReceiptKey }> {
    const { signing } = this;
    const [published] = await this.publicKeys();
    if (signing !== undefined && published !== undefined) return { signing, published };
    throw new ApiError('NOT_IMPLEMENTED', {
      message: 'This deployment has no key that signs merge receipts.',
    });
  }
}

/** A key that signs attestations. */
interface AttestationKey {
  /** RFC 7638 thumbprint. */
  id: string;
  /** Returns a DSSE envelope over the statement. */
  seal(statement: InTotoStatement): AttestationEnvelope;
}

function seal(statement: InTotoStatement, key: KeyObject): AttestationEnvelope {
  const payload = Buffer.from(JSON.stringify(statement));
  const sig = sign(null, preAuthEncoding(IN_TOTO_TYPE, payload), key).toString('base64');
  return { payloadType: IN_TOTO_TYPE, payload: payload.toString('base64'), signatures: [{ sig }] };
}

async function publicKeyOf(key: KeyObject): Promise<MergeReceiptKey> {
  const x = key.export({ format: 'jwk' }).x as string;
  const jwk = { kty: 'OKP', crv: 'Ed25519', x } as const;
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: 'EdDSA', use: 'sig' };
}
