import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const CHARTS = join('deploy', 'charts');

/**
 * A chart with golden cases.
 *
 * @typedef {object} GoldenChart
 * @property {string} name of the chart, and of its folder
 * @property {string} golden folder of what helm renders, beside `values` with the values
 * @property {string} release
 * @property {string} namespace
 *
 * @type {Readonly<Record<'runtime' | 'plat', GoldenChart>>}
 */
export const goldenCharts = {
  // Its values are written by `npm run generate`.
  runtime: {
    name: 'runtime',
    golden: join(CHARTS, 'golden'),
    release: 'acme-runtime',
    namespace: 'acme-dev',
  },
  // Its values are written by hand, as an operator's.
  plat: { name: 'plat', golden: join(CHARTS, 'golden', 'plat'), release: 'plat', namespace: 'plat' },
};

/**
 * A golden case of a chart.
 *
 * @typedef {object} GoldenCase
 * @property {string} name
 * @property {string} values path of the values
 * @property {string} rendered path of what helm renders from them, which `npm run golden` writes
 * @property {string} header the first line of the rendered file. It has a hash of all that helm reads for it, so that a
 *   check without helm can report that the file is older than the chart or the values.
 */

/**
 * The cases of a chart, by their values.
 *
 * @param {string} root of the repository
 * @param {GoldenChart} chart
 * @returns {Promise<GoldenCase[]>}
 */
export async function goldenCases(root, chart) {
  const contents = await contentsOf(chartFolder(root, chart));
  const files = (await readdir(join(root, chart.golden, 'values'))).sort();
  return Promise.all(
    files.map(async (file) => {
      const name = file.replace(/\.\w+$/, '');
      const values = join(root, chart.golden, 'values', file);
      const hash = createHash('sha256')
        .update(contents)
        .update(await readFile(values));
      const header = `# Written by npm run golden from the chart and values/${file}, sha256:${hash.digest('hex')}`;
      return { name, values, rendered: join(root, chart.golden, `${name}.yaml`), header };
    }),
  );
}

/** @param {string} root of the repository @param {GoldenChart} chart @returns {string} the chart's folder */
export function chartFolder(root, chart) {
  return join(root, CHARTS, chart.name);
}

/** Paths of the rendered files, also of those that have no case any more. */
export async function renderedFiles(root, { golden }) {
  const names = await readdir(join(root, golden));
  return names.filter((name) => name.endsWith('.yaml')).map((name) => join(root, golden, name));
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
