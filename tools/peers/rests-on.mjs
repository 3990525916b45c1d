import { gitIn, trackedFiles } from '../test/changed/git-changes.mjs';
import { graphOf } from '../test/changed/source-graph.mjs';
import { aliasesOf, textsOf } from '../test/changed/sources.mjs';

/** Files that every spec on another database rests on, without an import of them. */
const EVERY = [
  'libs/database/functions',
  'libs/database/migrations',
  'libs/testing/src/setup',
  'jest.peers.config.js',
  'jest.preset.js',
];

/**
 * The files that specs which run on another database rest on: those that they import, by any number of steps, and the schema.
 *
 * @param {string} root of the repository
 * @param {string[]} specs files in it
 * @returns {Map<string, string[]>} the paths by spec, with the spec itself
 */
export function pathsOfSpecs(root, specs) {
  const files = trackedFiles(gitIn(root));
  const graph = graphOf(textsOf(root, files), { files, aliases: aliasesOf(root) });
  return new Map(specs.map((spec) => [spec, [...reachedFrom(graph, spec), ...EVERY]]));
}

/** The files that a file reaches by any number of steps, and the file. */
function reachedFrom(graph, file) {
  const reached = new Set([file]);
  for (const each of reached) graph.get(each)?.forEach((used) => reached.add(used));
  return reached;
}
