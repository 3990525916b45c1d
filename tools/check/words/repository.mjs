import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from '../references/repository.mjs';
import { forbiddenWords } from './words.mjs';

/**
 * Paths that are not checked, each with the reason.
 * @type {Readonly<Record<string, string>>}
 */
export const LEFT_OUT = {
  'tools/check/words': 'lists the words',
};

/**
 * Finds the forbidden words of a repository's own texts.
 *
 * @param {string} root
 * @returns {{faults: string[], files: number}} each fault as `file:line: what`; the number of files that were read
 */
export function examine(root) {
  const paths = filesOf(root).filter((path) => !isLeftOut(path));
  const faults = paths.flatMap((path) =>
    forbiddenWords(readFileSync(join(root, path), 'utf8')).map(
      ({ line, found, plain }) => `${path}:${line}: "${found}"; write ${plain}`,
    ),
  );
  return { faults, files: paths.length };
}

const isLeftOut = (path) =>
  Object.keys(LEFT_OUT).some((left) => path === left || path.startsWith(`${left}/`));
