import { isDirectory, isSameEntry, readTree, type TreeEntry } from '../pack/tree';
import type { ObjectStore } from './object-store';

/** Two trees of which the changes are read. Ids. */
export interface TreePair {
  before: string;
  treeId: string;
}

/** A pair of trees with different entries at a path. */
export interface PairChange<Pair> {
  pair: Pair;
  old: TreeEntry | undefined;
  made: TreeEntry | undefined;
}

/** The wanted names in a directory. */
interface Names {
  below: Map<string, Names>;
  /** The wanted path that ends here. */
  path?: string;
}

interface Place<Pair> {
  pair: Pair;
  names: Names;
  old: string | undefined;
  made: string | undefined;
}

/**
 * Reads which of several pairs of trees differ at several paths. Directories that are the same in both trees of a pair are not
 * read, so that the work grows with the changes and not with the paths.
 *
 * @param max most changes of one path, the first ones
 * @returns changes by path in the order of the pairs, and whether some were left out
 * @throws RemoteFailure
 */
export async function changesAt<Pair extends TreePair>(
  store: ObjectStore,
  pairs: readonly Pair[],
  { paths, max }: { paths: readonly string[]; max: number },
): Promise<{ changes: Map<string, PairChange<Pair>[]>; isComplete: boolean }> {
  const changes = new Map<string, PairChange<Pair>[]>();
  let isComplete = true;
  const add = (path: string, change: PairChange<Pair>) => {
    const known = changes.get(path) ?? [];
    changes.set(path, known);
    if (known.length < max) known.push(change);
    else isComplete = false;
  };
  const names = namesOf(paths);
  let level = pairs.map((pair): Place<Pair> => ({ pair, names, old: pair.before, made: pair.treeId }));
  while (level.length > 0) {
    await store.load(level.flatMap(({ old, made }) => [old, made].flatMap((id) => id ?? [])));
    const read = readerOf(store);
    level = level.flatMap((place) => {
      const mades = read(place.made, place.names);
      const olds = read(place.old, place.names);
      return [...new Set([...olds.keys(), ...mades.keys()])].flatMap((name): Place<Pair>[] => {
        const [old, made] = [olds.get(name), mades.get(name)];
        const below = place.names.below.get(name);
        if (below === undefined || isSameEntry(old, made)) return [];
        const [file, madeFile] = [old, made].map((entry) => (isDirectory(entry) ? undefined : entry));
        if (below.path !== undefined && !isSameEntry(file, madeFile)) {
          add(below.path, { pair: place.pair, old: file, made: madeFile });
        }
        if (below.below.size === 0) return [];
        const [folder, madeFolder] = [old, made].map((entry) => (isDirectory(entry) ? entry?.id : undefined));
        return folder === madeFolder
          ? []
          : [{ pair: place.pair, names: below, old: folder, made: madeFolder }];
      });
    });
  }
  return { changes, isComplete };
}

function namesOf(paths: readonly string[]): Names {
  const root: Names = { below: new Map() };
  for (const path of paths) {
    let at = root;
    for (const name of path.split('/')) {
      const next = at.below.get(name) ?? { below: new Map<string, Names>() };
      at.below.set(name, next);
      at = next;
    }
    at.path = path;
  }
  return root;
}

/** Reads directories, of which one is often the older one of a pair and the newer one of the next pair. */
function readerOf(store: ObjectStore) {
  let last: { id: string; names: Names; entries: Map<string, TreeEntry> } | undefined;
  return (id: string | undefined, names: Names): ReadonlyMap<string, TreeEntry> => {
    if (id === undefined) return new Map();
    if (last?.id === id && last.names === names) return last.entries;
    const entries = readTree(store.read(id, 'tree'), names.below);
    last = { id, names, entries };
    return entries;
  };
}
