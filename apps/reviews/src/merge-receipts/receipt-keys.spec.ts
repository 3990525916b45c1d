import { generateKeyPairSync } from 'node:crypto';
import { compactVerify, createLocalJWKSet } from 'jose';
import { readPublicKeys, readSigningKey, ReceiptKeys } from './receipt-keys';

const make = () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  return {
    signing: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    shown: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  };
};

describe('the keys of merge receipts', () => {
  it('after a rotation the new key signs, and what the old one signed can still be checked', async () => {
    const [old, current] = [make(), make()];
    const before = new ReceiptKeys(readSigningKey(old.signing), []);
    const after = new ReceiptKeys(readSigningKey(current.signing), readPublicKeys(old.shown));
    const keys = createLocalJWKSet({ keys: await after.publicKeys() });
    for (const jws of [await before.sign({ a: 1 }), await after.sign({ a: 2 })]) {
      await expect(compactVerify(jws, keys)).resolves.toBeDefined();
    }
    const [first] = await after.publicKeys();
    expect((await new ReceiptKeys(readSigningKey(current.signing), []).publicKeys())[0]).toEqual(first);
  });

  it('a key that is published before it signs is published once', async () => {
    const own = make();
    const keys = new ReceiptKeys(readSigningKey(own.signing), readPublicKeys(own.shown));
    await expect(keys.publicKeys()).resolves.toHaveLength(1);
  });

  it('a key that is replaced while the service runs stays public, each key once', async () => {
    const [first, second, third] = [make(), make(), make()];
    const keys = new ReceiptKeys(readSigningKey(first.signing), []);
    const early = await keys.sign({ a: 1 });
    keys.replace(readSigningKey(second.signing), readPublicKeys(first.shown));
    const later = await keys.sign({ a: 2 });
    keys.replace(readSigningKey(third.signing), []);
    const shown = await keys.publicKeys();
    expect(new Set(shown.map(({ kid }) => kid)).size).toBe(3);
    expect(shown).toHaveLength(3);
    for (const jws of [early, later, await keys.sign({ a: 3 })]) {
      await expect(compactVerify(jws, createLocalJWKSet({ keys: shown }))).resolves.toBeDefined();
    }
    const [signing] = shown;
    expect(signing).toEqual((await new ReceiptKeys(readSigningKey(third.signing), []).publicKeys())[0]);
  });

  it('a former key that the file no longer has stays public until the process ends', async () => {
    const [own, former] = [make(), make()];
    const keys = new ReceiptKeys(readSigningKey(own.signing), readPublicKeys(former.shown));
    keys.replace(readSigningKey(own.signing), []);
    await expect(keys.publicKeys()).resolves.toHaveLength(2);
  });

  it('several former keys follow each other in one text', () => {
    expect(readPublicKeys(`${make().shown}\n${make().shown}`)).toHaveLength(2);
  });

  it('no other kind of key, and no private key among the public ones, is taken', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const ec = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
    expect(() => readSigningKey(ec)).toThrow('no Ed25519 key');
    expect(() => readSigningKey('no key')).toThrow();
    expect(() => readPublicKeys(make().signing)).toThrow('no public key');
  });
});
