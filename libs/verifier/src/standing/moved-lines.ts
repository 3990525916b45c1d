import { filesOf, readChangeSet } from '../objects/change-set';
import type { ObjectStore } from '../objects/object-store';
import type { PathHistory } from './path-history';
import type { ChainCommit } from './target-chain';
import type { Texts } from './texts';

/** Lines are somewhere else, and not lost, if this share of them was added there. */
const MOVED_SHARE = 2 / 3;

interface Reading {
  store: ObjectStore;
  texts: Texts;
  history: PathHistory;
}

/** Finds lines that a commit of the chain moved to other files. */
export class MovedLines {
  /** The lines that a commit adds, by path. */
  private readonly added = new Map<string, Promise<ReadonlyMap<string, ReadonlySet<string>>>>();

  constructor(private readonly reading: Reading) {}

  /**
   * Whether a commit moved most of some lines to other files, which still have them.
   *
   * @param marks without layout
   * @param chain the tree before the commit, the commit itself, and those since then
   * @throws RemoteFailure
   */
  async areThere(
    marks: readonly string[],
    { before, since }: { before: string; since: readonly ChainCommit[] },
  ): Promise<boolean> {
    const [by] = since;
    if (by === undefined || by.treeId === before) return false;
    const key = `${before} ${by.treeId}`;
    const adding = this.added.get(key) ?? this.readAdded(before, by.treeId);
    this.added.set(key, adding);
    const paths = [...(await adding)].filter(([, lines]) => marks.some((line) => lines.has(line)));
    const isMoved = isMost(marks, (line) => paths.some(([, lines]) => lines.has(line)));
    if (!isMoved) return false;
    const { history, texts } = this.reading;
    const newest = await Promise.all(
      paths.map(async ([path]) => {
        const versions = await history.follow({ path, treeId: by.treeId }, since);
        const entry = versions.at(-1)?.entry;
        await texts.load([entry]);
        return texts.read(entry);
      }),
    );
    return isMost(marks, (line) => newest.some((text) => (text?.counts.get(line) ?? 0) > 0));
  }

  private async readAdded(before: string, after: string): Promise<Map<string, Set<string>>> {
    const { store, texts } = this.reading;
    const trees = { baseTreeId: before, sourceTreeId: after };
    const changes = await readChangeSet(store, trees, texts.budget.caps);
    const files = changes === undefined ? [] : filesOf(changes);
    await texts.load(files.flatMap(({ base, source }) => [base, source]));
    const added = new Map<string, Set<string>>();
    for (const { path, base, source } of files) {
      const [from, to] = [texts.read(base), texts.read(source)];
      if (to === undefined) continue;
      const lines = [...to.counts].filter(([line, count]) => count > (from?.counts.get(line) ?? 0));
      added.set(path, new Set(lines.map(([line]) => line)));
    }
    return added;
  }
}

function isMost(marks: readonly string[], isFound: (line: string) => boolean): boolean {
  const distinct = [...new Set(marks)];
  return distinct.filter(isFound).length >= distinct.length * MOVED_SHARE;
}
