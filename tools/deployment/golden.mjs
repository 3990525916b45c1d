import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../peers/run-command.mjs';
import { setUp } from '../peers/set-up.mjs';
import { chartFolder, goldenCases, goldenCharts, renderedFiles } from './golden-cases.mjs';

const root = join(import.meta.dirname, '..', '..');

/** Renders the golden cases of the charts with helm 3, which is built first if it is missing. */
export async function main() {
  const { helm3 } = await setUp(['helm-3'], (line) => process.stderr.write(`${line}\n`));
  for (const chart of Object.values(goldenCharts)) await renderCases(helm3, chart);
}

async function renderCases(helm3, chart) {
  const cases = await goldenCases(root, chart);
  for (const { name, values, rendered, header } of cases) {
    const options = ['--namespace', chart.namespace, '--values', values];
    const args = ['template', chart.release, chartFolder(root, chart), ...options];
    const { ok, stdout, output } = await runCommand(helm3, args);
    if (!ok) throw new Error(`helm does not render ${chart.name}, ${name}:\n${output}`);
    const text = `${header}\n${stdout}`;
    if ((await readFile(rendered, 'utf8').catch(() => '')) === text) continue;
    await writeFile(rendered, text);
    process.stdout.write(`wrote ${rendered}\n`);
  }
  const strays = (await renderedFiles(root, chart)).filter((file) =>
    cases.every(({ rendered }) => rendered !== file),
  );
  for (const file of strays) {
    await rm(file);
    process.stdout.write(`removed ${file}\n`);
  }
}
