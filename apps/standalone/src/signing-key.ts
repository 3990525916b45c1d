import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '@plat/local';

/** The keys of `npm start`, each of which signs one thing. */
export type SigningKeyName = 'merge-receipt-key' | 'ledger-key';

/** An Ed25519 key, PKCS#8 in PEM. It is made at the first start and kept for later ones. */
export async function keepSigningKey(dataDir: string, name: SigningKeyName): Promise<string> {
  const file = join(dataDir, `${name}.pem`);
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (kept !== undefined) return kept;
  const made = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  await writePrivateFile(file, made);
  return made;
}

/** The keys of the services, by what they sign. */
export const keepSigningKeys = async (
  dataDir: string,
): Promise<{ receiptKey: string; ledgerKey: string }> => ({
  receiptKey: await keepSigningKey(dataDir, 'merge-receipt-key'),
  ledgerKey: await keepSigningKey(dataDir, 'ledger-key'),
});
