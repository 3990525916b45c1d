import { posix } from 'node:path';

const NAMED = /^(?:import|export)\s+(type\s+)?([\w$*{}\s,]+?)\s+from\s+'([^']+)'/gm;
const WHOLE = /(?:^import|\bimport\(|\brequire\(|\brequire\.resolve\()\s*'([^']+)'/gm;
const DECLARED =
  /^export\s+(?:declare\s+)?(?:default\s+)?(?:abstract\s+)?(?:async\s+)?(?:function\*?|const|let|class|interface|type|enum)\s+([\w$]+)/gm;
const STRINGS = /'([\w@./-]+)'(?:,\s*'([\w@./-]+)')*/g;
const PATHS = /^\s*(?:\/\*\*|\*|\/\/).*?@paths (.+?)(?: \*\/)?$/gm;

/**
 * The references of one source: its imports, the names that it exports, and words that may be paths of files it reads.
 * Imports of types are left out, since they change no result of a test.
 *
 * @param {string} text
 * @returns {References}
 *
 * @typedef {{specifier: string, names?: string[]}} Import names: as the other file exports them; undefined: all of them
 * @typedef {{imports: Import[], passedOn: Import[], declared: string[], paths: string[]}} References
 *   passedOn: exported from another file
 */
export function referencesOf(text) {
  const named = [...text.matchAll(NAMED)]
    .filter(([, type]) => type === undefined)
    .map(([statement, , clause, specifier]) => ({ statement, specifier, names: namesOf(clause) }))
    .filter(({ names }) => names === undefined || names.length > 0);
  const isPassedOn = ({ statement }) => statement.startsWith('export');
  return {
    imports: [
      ...named.filter((one) => !isPassedOn(one)),
      ...[...text.matchAll(WHOLE)].map(([, specifier]) => ({ specifier })),
    ],
    passedOn: named.filter(isPassedOn),
    declared: [...text.matchAll(DECLARED)].map(([, name]) => name),
    paths: pathsOf(text),
  };
}

/** Undefined for `* as all`, which takes every name. A default import has the name `default`. */
function namesOf(clause) {
  if (clause.includes('*')) return undefined;
  const [, first = '', list = ''] = /^([\w$]*)\s*,?\s*(?:\{([^}]*)\})?$/.exec(clause.trim()) ?? [];
  const listed = list
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '' && !word.startsWith('type '))
    .map((word) => word.split(/\s+as\s+/)[0]);
  return first === '' ? listed : ['default', ...listed];
}

/** Words in quotes that may be a path, whole and joined with those next to them; and the paths after `@paths`. */
function pathsOf(text) {
  const written = [...text.matchAll(STRINGS)].flatMap(([run]) => {
    const words = run.split(/,\s*/).map((word) => word.slice(1, -1));
    return [...words, ...words.map((_, start) => words.slice(start).join('/'))];
  });
  const stated = [...text.matchAll(PATHS)].flatMap(([, list]) => list.split(/[ ,]+/));
  return [...new Set([...written.map((path) => posix.normalize(path)), ...stated])];
}
