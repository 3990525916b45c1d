import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const CHART = join('deploy', 'charts', 'runtime');
const GOLDEN = join('deploy', 'charts', 'golden');

/**
 * A golden case of the runtime chart.
 *
 * @typedef {object} GoldenCase
 * @property {string} name
 * @property {string} values path of the values that `npm run generate` writes
 * @property {string} rendered path of what helm renders from them, which `npm run golden` writes
 * @property {string} header the first line of the rendered file. It has a hash of all that helm reads for it, so that a
 *   check without helm can report that the file is older than the chart or the values.
 */

/**
 * The cases, by their values.
 *
 * @param {string} root of the repository
 * @returns {Promise<GoldenCase[]>}
 */
export async function goldenCases(root) {
  const chart = await contentsOf(join(root, CHART));
  const names = (await readdir(join(root, GOLDEN, 'values')))
    .map((file) => file.replace(/\.json$/, ''))
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const values = join(root, GOLDEN, 'values', `${name}.json`);
      const hash = createHash('sha256')
        .update(chart)
        .update(await readFile(values));
      const header = `# Written by npm run golden from the chart and values/${name}.json, sha256:${hash.digest('hex')}`;
      return { name, values, rendered: join(root, GOLDEN, `${name}.yaml`), header };
    }),
  );
}

/** @param {string} root of the repository @returns {string} the chart's folder */
export function chartFolder(root) {
  return join(root, CHART);
}

/** Paths of the rendered files, also of those that have no case any more. */
export async function renderedFiles(root) {
  const names = await readdir(join(root, GOLDEN));
  return names.filter((name) => name.endsWith('.yaml')).map((name) => join(root, GOLDEN, name));
}

/** Name and text of every file of a folder, as one text. */
async function contentsOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const texts = await Promise.all(
    paths
      .sort()
      .map(async (path) => JSON.stringify([path.slice(folder.length), await readFile(path, 'utf8')])),
  );
  return texts.join('\n');
}
