import { generateKeyPairSync } from 'node:crypto';

/** A new Ed25519 private key, PKCS#8 in PEM. */
export const newSigningKey = (): string =>
  generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  }).privateKey;
