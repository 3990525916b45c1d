import { createPrivateKey } from 'node:crypto';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepSigningKey } from './signing-key';

let dataDir: string;
beforeEach(async () => (dataDir = await mkdtemp(join(tmpdir(), 'plat-signing-key-'))));
afterEach(() => rm(dataDir, { recursive: true, force: true }));

describe('a key that signs', () => {
  it('is made at the first start, for Ed25519, and only its owner may read it', async () => {
    const key = createPrivateKey(await keepSigningKey(dataDir, 'ledger-key'));
    expect(key.asymmetricKeyType).toBe('ed25519');
    expect((await stat(join(dataDir, 'ledger-key.pem'))).mode & 0o777).toBe(0o600);
  });

  it('is the same at the next start, so that what it has signed can still be checked', async () => {
    const first = await keepSigningKey(dataDir, 'ledger-key');
    expect(await keepSigningKey(dataDir, 'ledger-key')).toBe(first);
  });

  it('signs one thing: receipts have another than logs', async () => {
    expect(await keepSigningKey(dataDir, 'merge-receipt-key')).not.toBe(
      await keepSigningKey(dataDir, 'ledger-key'),
    );
  });

  it('is not replaced if it cannot be read', async () => {
    await expect(keepSigningKey(join(dataDir, '\0'), 'ledger-key')).rejects.toThrow();
  });
});
