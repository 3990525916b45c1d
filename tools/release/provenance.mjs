import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { npmPrograms } from '../peers/npm-programs.mjs';

const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/**
 * Returns an in-toto statement with SLSA's provenance: the images, and the sources and bases they were built from.
 *
 * @param {object} build
 * @param {{name: string, digest: string}[]} build.images digest: `sha256:…`
 * @param {{name: string, digest: string}[]} build.bases those that the images were built from
 * @param {string} build.revision the commit
 * @param {string} build.version
 * @param {string} build.builder URI of who built, which the one who signs answers for
 * @returns {object}
 */
export function provenanceOf({ images, bases, revision, version, builder }) {
  const sha256 = (digest) => ({ sha256: digest.replace('sha256:', '') });
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: images.map(({ name, digest }) => ({ name, digest: sha256(digest) })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:plat:image:1',
        externalParameters: { version, target: 'image' },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: revision } },
          ...bases.map(({ name, digest }) => ({ name, digest: sha256(digest) })),
        ],
      },
      runDetails: { builder: { id: builder } },
    },
  };
}

/**
 * Signs a statement with a private key.
 *
 * @param {object} statement
 * @param {string} key PEM, as `openssl ecparam -name prime256v1 -genkey -noout` makes it
 * @returns {Promise<object>} a sigstore bundle, which cosign reads too
 */
export async function attest(statement, key) {
  const { DSSEBundleBuilder } = await library('@sigstore/sign');
  const { bundleToJSON } = await library('@sigstore/bundle');
  const privateKey = createPrivateKey(key);
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' });
  const signer = {
    sign: async (data) => ({
      signature: sign('sha256', data, privateKey),
      key: { $case: 'publicKey', publicKey, hint: 'plat' },
    }),
  };
  const builder = new DSSEBundleBuilder({ signer, witnesses: [] });
  const artifact = { data: Buffer.from(JSON.stringify(statement)), type: PAYLOAD_TYPE };
  return bundleToJSON(await builder.create(artifact));
}

/**
 * The statement of a bundle, if the key signed it.
 *
 * @param {object} signed
 * @param {string} key the public key, PEM
 * @returns {Promise<object>}
 * @throws Error if another key signed it, or it was changed
 */
export async function verified(signed, key) {
  const { bundleFromJSON } = await library('@sigstore/bundle');
  const { toSignedEntity, Verifier } = await library('@sigstore/verify');
  const none = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [] };
  const trusted = { ...none, publicKey: () => ({ publicKey: createPublicKey(key), validFor: () => true }) };
  // A key that is kept needs no log of who was given one.
  const verifier = new Verifier(trusted, { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0 });
  const bundle = bundleFromJSON(signed);
  verifier.verify(toSignedEntity(bundle));
  const { payload, payloadType } = bundle.content.dsseEnvelope;
  if (payloadType !== PAYLOAD_TYPE) {
    throw new Error(`The bundle has a ${payloadType}, and a statement was expected.`);
  }
  return JSON.parse(payload.toString());
}

/** A package of tools/release/package.json. */
async function library(name) {
  const [programs] = await npmPrograms(join('tools', 'release'), (line) => process.stderr.write(`${line}\n`));
  return createRequire(join(programs, 'release.cjs'))(name);
}
