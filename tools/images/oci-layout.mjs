import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';

const blob = (layout, digest) => join(layout, 'blobs', ...digest.split(':'));
const json = async (file) => JSON.parse(await readFile(file, 'utf8'));

/**
 * The one image of a folder in OCI's layout.
 *
 * @param {string} layout
 * @returns {Promise<{digest: string, layers: {digest: string, size: number}[], config: ImageConfig}>} the digest that a
 *   registry shows, the layers as a registry keeps them, and the image's configuration
 *
 * @typedef {{created: string, config: {User: string, Entrypoint: string[], Env: string[], WorkingDir: string,
 *   Labels: Record<string, string>}}} ImageConfig
 */
export async function readLayout(layout) {
  const { manifests } = await json(join(layout, 'index.json'));
  if (manifests.length !== 1) {
    throw new Error(`${layout} has ${manifests.length} images, and one was expected.`);
  }
  const { digest } = manifests[0];
  const manifest = await json(blob(layout, digest));
  return { digest, layers: manifest.layers, config: await json(blob(layout, manifest.config.digest)) };
}

/**
 * @param {string} layout
 * @returns {Promise<{digest: string, bytes: number, compressedBytes: number}>} bytes: of the layers on a node's disk;
 *   compressedBytes: of what a node pulls
 */
export async function measure(layout) {
  const { digest, layers } = await readLayout(layout);
  let bytes = 0;
  for (const layer of layers) {
    for await (const chunk of createReadStream(blob(layout, layer.digest)).pipe(createGunzip())) {
      bytes += chunk.length;
    }
  }
  return { digest, bytes, compressedBytes: layers.reduce((sum, { size }) => sum + size, 0) };
}
