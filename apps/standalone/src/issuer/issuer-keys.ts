import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { writePrivateFile } from '@plat/local';

/** The one algorithm of the local issuers: small keys, made in a millisecond. */
export const SIGNING_ALGORITHM = 'ES256';

/**
 * The issuer's private signing key, made at the first start and kept in `file` (0600), so that tokens
 * outlive a restart.
 *
 * @throws Error naming the file if it holds no such key.
 */
export async function readSigningKey(file: string): Promise<JWK> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text !== undefined) return parseKey(text, file);
  const { privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const key = { ...(await exportJWK(privateKey)), kid: randomUUID(), alg: SIGNING_ALGORITHM, use: 'sig' };
  await writePrivateFile(file, JSON.stringify(key));
  return key;
}

function parseKey(text: string, file: string): JWK {
  try {
    const key = JSON.parse(text) as JWK;
    if (key.alg === SIGNING_ALGORITHM && key.kid && key.d) return key;
  } catch {
    // Reported below, together with JSON that is no key.
  }
  throw new Error(
    `The issuer's key file ${file} is damaged. Remove it to get a new key; tokens of the old one end.`,
  );
}
