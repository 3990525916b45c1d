import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writePrivateFile } from '@plat/local';

const FILE = 'merge-receipt-key.pem';

/** The Ed25519 key that signs merge receipts, PKCS#8 in PEM. Made at the first start and kept for later ones. */
export async function keepReceiptKey(dataDir: string): Promise<string> {
  const file = join(dataDir, FILE);
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (kept !== undefined) return kept;
  const made = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  await writePrivateFile(file, made);
  return made;
}
