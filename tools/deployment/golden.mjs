import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../peers/run-command.mjs';
import { setUp } from '../peers/set-up.mjs';
import { chartFolder, goldenCases, renderedFiles } from './golden-cases.mjs';

const root = join(import.meta.dirname, '..', '..');

/** Renders the golden cases of the runtime chart with helm 3, which is built first if it is missing. */
export async function main() {
  const { helm3 } = await setUp(['helm-3'], (line) => process.stderr.write(`${line}\n`));
  const cases = await goldenCases(root);
  for (const { name, values, rendered, header } of cases) {
    const args = [
      'template',
      'acme-runtime',
      chartFolder(root),
      '--namespace',
      'acme-dev',
      '--values',
      values,
    ];
    const { ok, stdout, output } = await runCommand(helm3, args);
    if (!ok) throw new Error(`helm does not render ${name}:\n${output}`);
    const text = `${header}\n${stdout}`;
    if ((await readFile(rendered, 'utf8').catch(() => '')) === text) continue;
    await writeFile(rendered, text);
    process.stdout.write(`wrote ${rendered}\n`);
  }
  const strays = (await renderedFiles(root)).filter((file) =>
    cases.every(({ rendered }) => rendered !== file),
  );
  for (const file of strays) {
    await rm(file);
    process.stdout.write(`removed ${file}\n`);
  }
}
