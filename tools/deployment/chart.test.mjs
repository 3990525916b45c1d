/**
 * Holds the charts to their golden cases, without helm: that helm renders them so is a peers' test. Run by
 * `npm run check`, with node's own test runner.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { chartFolder, goldenCases, goldenCharts, renderedFiles } from './golden-cases.mjs';

const root = join(import.meta.dirname, '..', '..');
const cases = await goldenCases(root, goldenCharts.runtime);
const json = async (path) => JSON.parse(await readFile(path, 'utf8'));
const manifests = async ({ rendered }) =>
  parseAllDocuments(await readFile(rendered, 'utf8'))
    .map((document) => document.toJS())
    .filter((object) => object !== null);
const one = (objects, kind, name) => {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name === name);
  assert.equal(found.length, 1, `${kind} ${name}`);
  return found[0];
};

describe('a runtime pod', () => {
  it('has no probe that ends a pod: a first clone may last, and people work in the pod', async () => {
    for (const golden of cases) {
      const objects = await manifests(golden);
      const { spec } = one(objects, 'Deployment', 'acme-runtime').spec.template;
      const probes = Object.keys(spec.containers[0]).filter((key) => key.endsWith('Probe'));
      assert.deepEqual(probes, ['readinessProbe']);
    }
  });
});

for (const chart of Object.values(goldenCharts)) {
  const all = await goldenCases(root, chart);

  describe(`the ${chart.name} chart`, () => {
    it("has the repository's version, with which it is released", async () => {
      const { version } = await json(join(root, 'package.json'));
      const description = parse(await readFile(join(chartFolder(root, chart), 'Chart.yaml'), 'utf8'));
      assert.deepEqual([description.version, description.appVersion], [version, version]);
    });

    it('has a rendered file for each case, and no other', async () => {
      assert.ok(all.length >= 4);
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

describe('the runtime chart', () => {
  for (const golden of cases) {
    it(`${golden.name} has every variable of its values, and secrets by reference only`, async () => {
      const { tenant, variables } = await json(golden.values);
      const objects = await manifests(golden);
      const deployment = one(objects, 'Deployment', `${tenant}-runtime`);
      const { env } = deployment.spec.template.spec.containers[0];
      const set = env.map(({ name, value, valueFrom }) => [name, value ?? valueFrom.secretKeyRef]);
      assert.deepEqual(Object.fromEntries(set), variables);
      assert.ok(objects.every(({ kind }) => kind !== 'Secret'));
    });

    it(`${golden.name} has the replicas and Services of its values`, async () => {
      const { tenant, replicas = 1, mcpEnabled = true } = await json(golden.values);
      const objects = await manifests(golden);
      assert.equal(one(objects, 'Deployment', `${tenant}-runtime`).spec.replicas, replicas);
      const services = objects.filter(({ kind }) => kind === 'Service').map(({ metadata }) => metadata.name);
      assert.deepEqual(services, mcpEnabled ? [`${tenant}-mcp`, `${tenant}-ssh`] : [`${tenant}-ssh`]);
    });
  }
});
