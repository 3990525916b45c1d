/**
 * Says without helm whether the golden cases are older than their charts; peers' tests judge what helm renders. Run by
 * `npm run check`, with node's own test runner.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { chartFolder, goldenCases, goldenCharts, renderedFiles } from './golden-cases.mjs';

const root = join(import.meta.dirname, '..', '..');
const json = async (path) => JSON.parse(await readFile(path, 'utf8'));

for (const chart of Object.values(goldenCharts)) {
  const all = await goldenCases(root, chart);

  describe(`the ${chart.name} chart`, () => {
    it("has the repository's version, with which it is released", async () => {
      const { version } = await json(join(root, 'package.json'));
      const description = parse(await readFile(join(chartFolder(root, chart), 'Chart.yaml'), 'utf8'));
      assert.deepEqual([description.version, description.appVersion], [version, version]);
    });

    it('has a rendered file for each case, and no other', async () => {
      assert.equal(all.length, 2);
      assert.deepEqual((await renderedFiles(root, chart)).sort(), all.map(({ rendered }) => rendered).sort());
    });

    for (const golden of all) {
      it(`${golden.name} was rendered from this chart and these values`, async () => {
        const [header] = (await readFile(golden.rendered, 'utf8')).split('\n');
        assert.equal(header, golden.header, 'run npm run golden and commit the result');
      });
    }
  });
}
