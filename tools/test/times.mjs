import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The record, which is committed: a fresh clone has timed nothing yet. */
const RECORD = join('tools', 'test', 'times.json');

/**
 * The time that each spec took when it was last recorded.
 *
 * @param {string} root
 * @returns {Promise<Record<string, {tests: number, seconds: number}>>} by path in the repository
 */
export async function readTimes(root) {
  return JSON.parse(await readFile(join(root, RECORD), 'utf8').catch(() => '{}'));
}

/**
 * Adds to the record the specs of a run in which no test failed, and removes specs that are gone.
 *
 * @param {string} root
 * @param {{file: string, passing: number, failing: number, seconds: number}[]} results
 */
export async function recordTimes(root, results) {
  const passed = results.filter(({ passing, failing }) => passing > 0 && failing === 0);
  const added = passed.map(({ file, passing, seconds }) => [
    file,
    { tests: passing, seconds: Math.round(seconds * 10) / 10 },
  ]);
  const times = { ...(await readTimes(root)), ...Object.fromEntries(added) };
  const entries = Object.entries(times).filter(([file]) => existsSync(join(root, file)));
  // As the formatter writes it, a line a spec.
  const lines = entries
    .sort()
    .map(
      ([file, { tests, seconds }]) =>
        `  ${JSON.stringify(file)}: { "tests": ${tests}, "seconds": ${seconds} }`,
    );
  await writeFile(join(root, RECORD), `{\n${lines.join(',\n')}\n}\n`);
}
