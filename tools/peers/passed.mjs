import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from './run-command.mjs';

/** The record, which is committed: CI has nothing else that outlives a run. */
const RECORD = join('tools', 'peers', 'passed.json');
const SPEC = /\.spec\.ts(?:\.snap)?$/;

/**
 * The specs of the record whose paths have not changed since they passed.
 *
 * @param {string} root
 * @param {Spec[]} specs
 * @returns {Promise<{file: string, tests: number}[]>} tests: how many the file had when it passed
 *
 * @typedef {{file: string, paths: string[], recipe: string}} Spec file: in the repository; paths: the files and folders
 *   that its result rests on and itself, none if it is to run always; recipe: how its peers are made
 */
export async function unchangedSpecs(root, specs) {
  const record = await readRecord(root);
  const known = specs.filter(({ file, paths }) => paths.length > 0 && record[file] !== undefined);
  const found = await Promise.all(
    known.map(async (spec) => {
      const { content, tests } = record[spec.file];
      return (await contentOf(root, spec)) === content ? [{ file: spec.file, tests }] : [];
    }),
  );
  return found.flat();
}

/**
 * The specs that name paths and whose record is not of what these paths have now: CI runs them each time.
 *
 * @param {string} root
 * @param {Spec[]} specs
 * @returns {Promise<{file: string, reason: string}[]>}
 */
export async function staleSpecs(root, specs) {
  const record = await readRecord(root);
  const unchanged = new Set((await unchangedSpecs(root, specs)).map(({ file }) => file));
  return specs
    .filter(({ file, paths }) => paths.length > 0 && !unchanged.has(file))
    .map(({ file }) => ({
      file,
      reason:
        record[file] === undefined
          ? 'no run of all its tests is recorded'
          : 'what it rests on changed since it passed',
    }));
}

/**
 * Hashes the present content of each spec's paths. It is taken before the specs run, since a change during the run is in no result.
 *
 * @param {string} root
 * @param {Spec[]} specs
 * @returns {Promise<Map<string, string>>} by file; without those that are to run always
 */
export async function contents(root, specs) {
  const found = await Promise.all(
    specs.map(async (spec) => [spec.file, spec.paths.length > 0 && (await contentOf(root, spec))]),
  );
  return new Map(found.filter(([, content]) => content));
}

/**
 * Adds to the record what has passed, and removes files that are gone.
 *
 * @param {string} root
 * @param {{file: string, content: string, tests: number}[]} passed
 */
export async function record(root, passed) {
  const before = await readRecord(root);
  const added = Object.fromEntries(passed.map(({ file, content, tests }) => [file, { content, tests }]));
  const entries = Object.entries({ ...before, ...added }).filter(([file]) => existsSync(join(root, file)));
  const text = `${JSON.stringify(Object.fromEntries(entries.sort()), null, 2)}\n`;
  await writeFile(join(root, RECORD), text);
}

async function readRecord(root) {
  return JSON.parse(await readFile(join(root, RECORD), 'utf8').catch(() => '{}'));
}

/**
 * Hashes the recipe and the files below the paths, without other specs: no result rests on those.
 *
 * @returns {Promise<string | undefined>} undefined if git cannot list the files or there are none
 */
async function contentOf(root, { file: spec, paths, recipe }) {
  const list = [
    'ls-files',
    '-z',
    '--cached',
    '--others',
    '--exclude-standard',
    '--deduplicate',
    '--',
    ...paths,
  ];
  const { ok, stdout } = await runCommand('git', list, { cwd: root });
  const files = stdout
    .split('\0')
    .filter((file) => file !== '' && (file === spec || !SPEC.test(file)) && existsSync(join(root, file)));
  if (!ok || files.length === 0) return undefined;
  const hash = createHash('sha256').update(recipe);
  for (const file of files.sort()) {
    const bytes = await readFile(join(root, file));
    hash.update(`${file}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 16);
}
