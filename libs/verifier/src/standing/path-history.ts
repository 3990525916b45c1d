import type { Budget } from '../budget';
import { renamesBetween } from '../merge/moved-paths';
import { entriesAt } from '../objects/entries-at';
import type { ObjectStore } from '../objects/object-store';
import type { TreeEntry } from '../pack/tree';
import { tooLarge } from '../remote-failure';
import type { ChainCommit } from './target-chain';

/** Most entries that are read: commits of the chain, times the paths. */
const ENTRIES_MAX = 200_000;

/** A file with a commit of the chain. */
export interface FileVersion {
  commitId: string;
  path: string;
  entry: TreeEntry | undefined;
}

/** Follows files through the target's chain, also if a commit moves them. */
export class PathHistory {
  /** Entries by path and tree. */
  private readonly entries = new Map<string, Map<string, TreeEntry | undefined>>();
  private readonly renames = new Map<string, Promise<string | undefined>>();
  private count = 0;

  constructor(
    private readonly store: ObjectStore,
    private readonly budget: Budget,
  ) {}

  /** Reads the entries of several paths at once. @throws RemoteFailure */
  async read(paths: readonly string[], chain: readonly ChainCommit[]): Promise<void> {
    this.count += paths.length * chain.length;
    if (this.count > ENTRIES_MAX) throw tooLarge('too many versions of files');
    const treeIds = [...new Set(chain.map(({ treeId }) => treeId))];
    const found = await entriesAt(this.store, treeIds, paths);
    for (const path of paths) {
      const known = this.entries.get(path) ?? new Map<string, TreeEntry | undefined>();
      for (const id of treeIds) known.set(id, found.get(id)?.get(path));
      this.entries.set(path, known);
    }
  }

  /**
   * The versions of a file with each commit of the chain.
   *
   * @param from the path in a tree, from which the chain goes on
   * @param since oldest first
   * @throws RemoteFailure
   */
  async follow(
    from: { path: string; treeId: string },
    since: readonly ChainCommit[],
  ): Promise<FileVersion[]> {
    const versions: FileVersion[] = [];
    let { path, treeId: before } = from;
    let isThere = true;
    for (const [index, { commitId, treeId }] of since.entries()) {
      let entry = await this.entryAt(path, treeId, since.slice(index));
      if (entry === undefined && isThere && before !== treeId) {
        const to = await this.renameOf(path, { base: before, changed: treeId });
        if (to !== undefined) {
          path = to;
          entry = await this.entryAt(path, treeId, since.slice(index));
        }
      }
      isThere = entry !== undefined;
      before = treeId;
      versions.push({ commitId, path, entry });
    }
    return versions;
  }

  private async entryAt(
    path: string,
    treeId: string,
    since: readonly ChainCommit[],
  ): Promise<TreeEntry | undefined> {
    if (!this.entries.get(path)?.has(treeId)) await this.read([path], since);
    return this.entries.get(path)?.get(treeId);
  }

  private renameOf(path: string, trees: { base: string; changed: string }): Promise<string | undefined> {
    const key = `${trees.base} ${trees.changed} ${path}`;
    const known = this.renames.get(key) ?? this.findRename(path, trees);
    this.renames.set(key, known);
    return known;
  }

  private async findRename(
    path: string,
    trees: { base: string; changed: string },
  ): Promise<string | undefined> {
    const reading = { store: this.store, budget: this.budget };
    const renames = await renamesBetween(trees, new Set([path]), reading);
    // If the renames are unclear, the file counts as removed: its lines are searched in other files.
    return renames === 'unclear' ? undefined : renames.get(path)?.path;
  }
}
