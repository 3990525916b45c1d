import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { Malformed } from './malformed';
import { formatVerifierKey, parseVerifierKey, publicKeyBytes, verifierKeyOf } from './verifier-key';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const key = verifierKeyOf('plat.example/log/7', publicKey);
const text = formatVerifierKey(key);
const [name, id, base64] = /^([^+]+)\+([^+]+)\+(.+)$/.exec(text)!.slice(1) as [string, string, string];

/** The text of a key of a type whose id fits. */
function ofType(type: number): string {
  const { createHash } = jest.requireActual<typeof import('node:crypto')>('node:crypto');
  const bytes = Buffer.concat([Buffer.from([type]), key.publicKey]);
  const hash = createHash('sha256').update(`${name}\n`).update(bytes).digest('hex');
  return `${name}+${hash.slice(0, 8)}+${bytes.toString('base64')}`;
}

describe('a verifier key', () => {
  it('is the same from its private half, its public half and its bytes', () => {
    expect(verifierKeyOf(key.name, privateKey)).toEqual(key);
    expect(verifierKeyOf(key.name, publicKeyBytes(createPublicKey(privateKey)))).toEqual(key);
    expect(parseVerifierKey(text)).toEqual(key);
    expect(ofType(1)).toBe(text);
  });

  it.each([
    ['', ''],
    ['without its name', `+${id}+${base64}`],
    ['without its id', `${name}++${base64}`],
    ['of two parts', `${name}+${id}`],
    ['with the id of another', `${name}+${id === '00000000' ? '00000001' : '00000000'}+${base64}`],
    ['with a longer id', `${name}+0${id}+${base64}`],
    ['with another name', `${name}0+${id}+${base64}`],
    ['with white space in its name', `a b+${id}+${base64}`],
    ['with a newline after it', `${text}\n`],
    ['with fewer bytes', `${name}+${id}+${Buffer.alloc(32, 1).toString('base64')}`],
    ['with more bytes', `${name}+${id}+${Buffer.alloc(34, 1).toString('base64')}`],
    ['for cosignatures', ofType(4)],
  ])('is refused %s', (_what, refused) => {
    expect(() => parseVerifierKey(refused)).toThrow(Malformed);
  });
});
