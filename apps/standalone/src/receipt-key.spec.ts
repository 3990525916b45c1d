import { createPrivateKey } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepReceiptKey } from './receipt-key';

let dataDir: string;
beforeEach(async () => (dataDir = await mkdtemp(join(tmpdir(), 'plat-receipt-key-'))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('the key of merge receipts', () => {
  it('is made at the first start, for Ed25519, and only its owner may read it', async () => {
    const key = createPrivateKey(await keepReceiptKey(dataDir));
    expect(key.asymmetricKeyType).toBe('ed25519');
    expect((await stat(join(dataDir, 'merge-receipt-key.pem'))).mode & 0o777).toBe(0o600);
  });

  it('is the same at the next start, so that receipts that were kept can still be checked', async () => {
    const first = await keepReceiptKey(dataDir);
    expect(await keepReceiptKey(dataDir)).toBe(first);
  });

  it('is not replaced if it cannot be read', async () => {
    await expect(keepReceiptKey(join(dataDir, '\0'))).rejects.toThrow();
  });
});
