import { posix } from 'node:path';
import { referencesOf } from './references.mjs';

const SOURCE = /\.(?:tsx?|[cm]?js)$/;
const ENDINGS = ['', '.ts', '.tsx', '.mjs', '.js', '.json', '/index.ts'];

/**
 * For each source, the files that it rests on by one step: those it imports, through indexes by the file that declares
 * the name, and those whose paths it writes.
 *
 * @param {Map<string, string>} texts of the sources, by path in the repository
 * @param {object} known
 * @param {Iterable<string>} known.files all files of the repository
 * @param {Record<string, string>} [known.aliases] the index file of each import of our own that is no path
 * @returns {Map<string, Set<string>>}
 */
export function graphOf(texts, { files, aliases = {} }) {
  const sources = new Map(
    [...texts].filter(([file]) => SOURCE.test(file)).map(([file, text]) => [file, referencesOf(text)]),
  );
  const tree = treeOf(files);
  const resolve = (specifier, from) => {
    if (!specifier.startsWith('.')) return aliases[specifier];
    const path = posix.join(posix.dirname(from), specifier);
    const candidates = [...ENDINGS.map((ending) => path + ending), path.replace(/\.js$/, '.ts')];
    return candidates.find((candidate) => tree.files.has(candidate));
  };
  const graph = { sources, resolve };
  return new Map(
    [...sources].map(([file, { imports, passedOn, paths }]) => [
      file,
      new Set([
        ...[...imports, ...passedOn].flatMap((one) => targetsOf(graph, file, one)),
        ...paths.flatMap((path) => readBy(tree, file, path)),
      ]),
    ]),
  );
}

/** The files that declare what an import names. An index through which a name passes is none of them. */
function targetsOf(graph, from, { specifier, names }) {
  const file = graph.resolve(specifier, from);
  if (file === undefined) return [];
  if (names === undefined) return [file];
  return names.flatMap((name) => declaredIn(graph, { file }, name) ?? [file]);
}

/** Undefined if neither the file nor one that it passes on declares the name. */
function declaredIn(graph, { file, seen = new Set() }, name) {
  const source = graph.sources.get(file);
  if (source === undefined || seen.has(file)) return undefined;
  if (source.declared.includes(name)) return file;
  seen.add(file);
  for (const { specifier, names } of source.passedOn) {
    const next = graph.resolve(specifier, file);
    if (next === undefined || (names !== undefined && !names.includes(name))) continue;
    const found = declaredIn(graph, { file: next, seen }, name) ?? (names && next);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The files that a path names, seen from the repository or from the folder of the source. A single word names a file
 * only: many a word is also the name of a folder.
 */
function readBy(tree, source, path) {
  const beside = posix.join(posix.dirname(source), path);
  for (const candidate of [path, beside]) {
    if (candidate === source) continue;
    if (tree.files.has(candidate)) return [candidate];
    if (path.includes('/') && candidate.includes('/')) {
      const below = tree.folders.get(candidate);
      if (below !== undefined) return below;
    }
  }
  return [];
}

function treeOf(files) {
  const tree = { files: new Set(files), folders: new Map() };
  for (const file of tree.files) {
    for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) {
      const below = tree.folders.get(folder) ?? [];
      below.push(file);
      tree.folders.set(folder, below);
    }
  }
  return tree;
}
