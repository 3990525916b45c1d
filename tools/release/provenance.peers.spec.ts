/** @peers sigstore */
import { generateKeyPairSync } from 'node:crypto';
import { attest, provenanceOf, verified } from './provenance.mjs';

const DIGEST = `sha256:${'ab'.repeat(32)}`;
const statement = provenanceOf({
  images: [{ name: 'plat-reviews', digest: DIGEST }],
  bases: [{ name: 'docker.io/library/node:24', digest: DIGEST }],
  revision: 'c'.repeat(40),
  version: '0.1.0',
  builder: 'urn:test',
});

function keyPair() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    own: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    shown: publicKey.export({ type: 'spki', format: 'pem' }) as string,
  };
}

describe('the provenance of images', () => {
  it("is in-toto's statement of SLSA's predicate, with images, commit and bases by digest", () => {
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'plat-reviews', digest: { sha256: 'ab'.repeat(32) } }],
      predicateType: 'https://slsa.dev/provenance/v1',
      predicate: {
        buildDefinition: {
          resolvedDependencies: [
            { name: 'source', digest: { gitCommit: 'c'.repeat(40) } },
            { name: 'docker.io/library/node:24', digest: { sha256: 'ab'.repeat(32) } },
          ],
        },
      },
    });
  });

  it('is verified with the public key of who signed it', async () => {
    const { own, shown } = keyPair();
    expect(await verified(await attest(statement, own), shown)).toEqual(statement);
  });

  it('is refused with another key, or if a byte of it was changed', async () => {
    const { own, shown } = keyPair();
    const bundle = (await attest(statement, own)) as { dsseEnvelope: { payload: string } };
    await expect(verified(bundle, keyPair().shown)).rejects.toThrow('signature verification failed');
    const changed = Buffer.from(bundle.dsseEnvelope.payload, 'base64').toString().replace('0.1.0', '0.1.1');
    bundle.dsseEnvelope.payload = Buffer.from(changed).toString('base64');
    await expect(verified(bundle, shown)).rejects.toThrow('signature verification failed');
  });
});
