import { Contrib, Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { PackageURL } from 'packageurl-js';
import parseLicense from 'spdx-expression-parse';

const licenses = new Contrib.License.Factories.LicenseFactory(parseLicense);

/**
 * The CycloneDX bill of what an image has: the npm packages of which at least a byte is in its bundles, Node, and the
 * base with its digest. The base lists its own Debian packages, where scanners look for them. Equal inputs give equal
 * text.
 *
 * @param {object} image
 * @param {string} image.name
 * @param {string} image.version
 * @param {import('esbuild').Metafile[]} image.metafiles
 * @param {Record<string, LockedPackage>} image.packages those of package-lock.json, by place
 * @param {string} image.node its version, without v
 * @param {string} image.base its reference, with tag and digest
 * @returns {string} JSON
 *
 * @typedef {{version: string, license?: string, integrity?: string}} LockedPackage
 */
export function billOfMaterials({ name, version, metafiles, packages, node, base }) {
  const root = new Models.Component(Enums.ComponentType.Application, name, { version, bomRef: name });
  const parts = [
    ...placesIn(metafiles).map((place) => npmComponent(place, packages[place])),
    nodeComponent(node),
    baseComponent(base),
  ];
  for (const { bomRef } of parts) root.dependencies.add(bomRef);
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ component: root }),
    components: new Models.ComponentRepository(parts),
  });
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/** The folders of the packages that left bytes in a bundle, as package-lock.json names them. */
function placesIn(metafiles) {
  const inputs = metafiles
    .flatMap(({ outputs }) => Object.values(outputs))
    .flatMap(({ inputs: all }) => Object.entries(all))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .map(([path]) =>
      /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0].replace(/^.*?(?=node_modules\/)/, ''),
    );
  return [...new Set(inputs.filter((place) => place !== undefined))].sort();
}

function npmComponent(place, locked) {
  if (locked === undefined) {
    throw new Error(`package-lock.json has no ${place}, of which a bundle has a part.`);
  }
  const fullName = place.replace(/.*node_modules\//, '');
  const [name, group] = fullName.split('/').reverse();
  const { version, license, integrity } = locked;
  const purl = new PackageURL('npm', group, name, version, undefined, undefined).toString();
  return new Models.Component(Enums.ComponentType.Library, name, {
    group,
    version,
    purl,
    bomRef: `${place.replaceAll('node_modules/', '')}@${version}`,
    licenses: new Models.LicenseRepository(license ? [licenses.makeFromString(license)] : []),
    hashes: new Models.HashDictionary(hashesOf(integrity)),
  });
}

/** The SHA-512 of a package's archive, which npm writes in base64 and CycloneDX in hexadecimal digits. */
function hashesOf(integrity) {
  const encoded = /sha512-(\S+)/.exec(integrity ?? '')?.[1];
  return encoded ? [[Enums.HashAlgorithm['SHA-512'], Buffer.from(encoded, 'base64').toString('hex')]] : [];
}

function nodeComponent(version) {
  return new Models.Component(Enums.ComponentType.Platform, 'node', {
    version,
    purl: `pkg:generic/node@${version}`,
    cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
    bomRef: `node@${version}`,
  });
}

function baseComponent(reference) {
  const [, repository, name, tag, digest] = /^(.*?([^/:@]+))(?::([^/:@]+))?(?:@(.+))?$/.exec(reference);
  const qualifiers = { repository_url: repository, tag };
  return new Models.Component(Enums.ComponentType.Container, repository, {
    version: digest ?? tag,
    purl: new PackageURL('oci', undefined, name, digest, qualifiers, undefined).toString(),
    bomRef: `base:${reference}`,
  });
}
