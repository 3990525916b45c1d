import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from '../references/repository.mjs';
import { densitiesOf, longSubjects } from './densities.mjs';
import { forbiddenWords } from './words.mjs';

/**
 * Paths that are not checked, each with the reason.
 * @type {Readonly<Record<string, string>>}
 */
export const LEFT_OUT = {
  'tools/check/words': 'lists the words',
};

/**
 * Finds the forbidden words of a repository's own texts, and habits that are too frequent.
 *
 * @param {string} root
 * @returns {{faults: string[], files: number}} each fault as `file:line: what`; the number of files that were read
 */
export function examine(root) {
  const files = filesOf(root)
    .filter((path) => !isLeftOut(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const words = files.flatMap(({ path, text }) =>
    forbiddenWords(text).map(({ line, found, plain }) => `${path}:${line}: "${found}"; write ${plain}`),
  );
  const habits = densitiesOf(files)
    .filter(({ density, limit }) => density > limit)
    .flatMap(({ name, density, limit, places }) => [
      `${name}: ${density.toFixed(2)} in 10,000 lines of the product, at most ${limit}:`,
      ...places,
    ]);
  return { faults: [...words, ...habits], files: files.length };
}

/** Commits whose subjects are checked: those that a branch may have added. */
const NEW_COMMITS = 20;

/**
 * Finds the newest commits whose subjects are too long. Merges have subjects of git's own.
 *
 * @param {string} root
 * @returns {string[]}
 */
export function examineSubjects(root) {
  const args = ['log', '--no-merges', `--max-count=${NEW_COMMITS}`, '--format=%s'];
  const subjects = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return longSubjects(subjects).map((subject) => `the subject of a commit is too long: ${subject}`);
}

const isLeftOut = (path) =>
  Object.keys(LEFT_OUT).some((left) => path === left || path.startsWith(`${left}/`));
