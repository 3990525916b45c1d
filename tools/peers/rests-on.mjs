import { gitIn, trackedFiles } from '../test/changed/git-changes.mjs';
import { graphOf } from '../test/changed/source-graph.mjs';
import { aliasesOf, textsOf } from '../test/changed/sources.mjs';

/** Every spec on another database rests on these, without an import of them. */
const EVERY = [
  'libs/database/functions',
  'libs/database/migrations',
  'libs/testing/src/setup',
  'jest.config.js',
  'jest.peers.config.js',
  'jest.preset.js',
  '.swcrc',
  'tsconfig.base.json',
  // The versions of all packages that a spec imports.
  'package-lock.json',
];
/** Makes the database and the environment of each spec, with all that it imports. */
const SETUP = /^libs\/testing\/src\/setup\/(?!.*\.spec\.ts$)/;

/**
 * The files that specs which run on another database rest on: those that they and the setup of tests import, by any number
 * of steps, the schema, and the versions of packages.
 *
 * @param {string} root of the repository
 * @param {string[]} specs files in it
 * @returns {Map<string, string[]>} the paths by spec, with the spec itself
 */
export function pathsOfSpecs(root, specs) {
  const files = trackedFiles(gitIn(root));
  const graph = graphOf(textsOf(root, files), { files, aliases: aliasesOf(root) });
  const setup = files.filter((file) => SETUP.test(file));
  return new Map(specs.map((spec) => [spec, [...filesReachedFrom(graph, [spec, ...setup]), ...EVERY]]));
}

/** The files that some files reach by any number of steps, and themselves. */
function filesReachedFrom(graph, files) {
  const reached = new Set(files);
  for (const each of reached) graph.get(each)?.forEach((used) => reached.add(used));
  return reached;
}
