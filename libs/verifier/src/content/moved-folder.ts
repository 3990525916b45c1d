import type { ObjectStore } from '../changes/object-store';
import type { Versions } from '../merge/versions';
import { isDirectory, readTree, type TreeEntry } from '../pack/tree';

/** A folder before and after a move. Paths; '' is the root. */
export interface Folders {
  from: string;
  to: string;
}

/** Which folders a side of a merge moved. Each folder of a tree is read once, and each question is answered once. */
export class MovedFolders {
  private readonly names = new Map<string, Promise<Set<string>>>();
  private readonly answers = new Map<string, Promise<boolean>>();

  /** @param trees ids */
  constructor(
    private readonly store: ObjectStore,
    private readonly trees: Required<Versions<string>>,
  ) {}

  /**
   * Whether a side moved a folder, or one above it: the new folder has at least half of the names that the old one's files
   * had, and the base did not have these there. The files may have changed meanwhile.
   *
   * @throws RemoteFailure
   */
  isMoved(folders: Folders, mover: 'ours' | 'theirs'): Promise<boolean> {
    const key = `${mover}\0${folders.from}\0${folders.to}`;
    const answer = this.answers.get(key) ?? this.judge(folders, mover);
    this.answers.set(key, answer);
    return answer;
  }

  private async judge({ from, to }: Folders, mover: 'ours' | 'theirs'): Promise<boolean> {
    const old = await this.filesIn(this.trees.base, from);
    const before = await this.filesIn(this.trees.base, to);
    const after = await this.filesIn(this.trees[mover], to);
    const taken = [...old].filter((name) => after.has(name) && !before.has(name));
    if (taken.length > 0 && taken.length * 2 >= old.size) return true;
    // `a/x` may have moved to `b/x` because `a` moved to `b`.
    if (from === '' || to === '' || nameOf(from) !== nameOf(to)) return false;
    return this.isMoved({ from: folderOf(from), to: folderOf(to) }, mover);
  }

  /** Reads the names of the files directly in a folder of a tree; none if there is no such folder. */
  private filesIn(treeId: string, folder: string): Promise<Set<string>> {
    const key = `${treeId}\0${folder}`;
    const names = this.names.get(key) ?? this.readNames(treeId, folder);
    this.names.set(key, names);
    return names;
  }

  private async readNames(treeId: string, folder: string): Promise<Set<string>> {
    let entries = await this.readFolder(treeId);
    for (const name of folder === '' ? [] : folder.split('/')) {
      const entry = entries.get(name);
      entries = entry !== undefined && isDirectory(entry) ? await this.readFolder(entry.id) : new Map();
    }
    return new Set([...entries].filter(([, entry]) => !isDirectory(entry)).map(([name]) => name));
  }

  private async readFolder(treeId: string): Promise<Map<string, TreeEntry>> {
    await this.store.load([treeId]);
    return readTree(this.store.read(treeId, 'tree'));
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');
