import type { Budget } from '../budget';
import type { Commit } from '../pack/commit';
import { isDirectory, isRegularFile, isSameEntry, readTree, type TreeEntry } from '../pack/tree';
import { tooLarge } from '../remote-failure';
import type { ChangedDirectory, FileChange } from './change-set';
import { entriesAt } from './entries-at';
import type { ObjectStore } from './object-store';
import { type FoundText, TextChanges } from './text-changes';

/** Candidates are read in growing batches, since a landing is usually among the newest. */
const BATCHES = [1, 16, 256];
const LAST_BATCH = 4_096;

/** A directory of the change set, and what stands at its place in a candidate; undefined when there is none. */
interface Place {
  directory: ChangedDirectory;
  treeId: string | undefined;
}

/** What one place demands of its candidate beyond itself. */
interface Demands {
  places: Place[];
  /** Files that differ from the source's, but may have been changed by others as well. */
  texts: FoundText[];
}

interface Candidate {
  commitId: string;
  parentTreeId: string | undefined;
  places: Place[];
  texts: Demands['texts'];
}

/**
 * Looks for a commit whose tree carries a whole change set: each of its paths has the source's entry, or is a text
 * file that has the source's change among others.
 */
export class CarrierSearch {
  private readonly texts: TextChanges;
  /** Candidates share most of their directories: each is judged once. */
  private readonly judged = new Map<ChangedDirectory, Map<string | undefined, Demands | 'lacking'>>();

  constructor(
    private readonly store: ObjectStore,
    private readonly changes: ChangedDirectory,
    private readonly budget: Budget,
    /** Whether a file may be missing that others moved, and one that the source moved may have more in it. */
    private readonly mayBeMoved = false,
  ) {
    this.texts = new TextChanges(store, budget.texts);
  }

  /**
   * @param chain commits, newest first
   * @returns one that carries the change set: one of which a diff tells, before those of which a merge does
   * @throws RemoteFailure
   */
  async find(chain: readonly string[], graph: ReadonlyMap<string, Commit>): Promise<string | undefined> {
    for (const batch of this.batches(chain)) {
      // Oldest first: when it landed so long ago that other commits stand between, it is there that it did.
      const matching = (await this.keepMatching(this.candidates(batch, graph))).reverse();
      const open: Candidate[] = [];
      for (const group of groups(matching)) {
        const likely = await this.texts.keepLikely(group);
        const certain = likely.find((candidate) => !this.isOpen(candidate));
        if (certain !== undefined) return certain.commitId;
        open.push(...likely);
      }
      for (const group of groups(open)) {
        const [carrier] = await this.keepMerged(group);
        if (carrier !== undefined) return carrier.commitId;
      }
    }
    return undefined;
  }

  /**
   * @returns the commit with which the change set came to be in one that carries it: the oldest of those that carry
   *   it one after the other
   * @throws RemoteFailure
   */
  async findBringing(
    chain: readonly string[],
    graph: ReadonlyMap<string, Commit>,
  ): Promise<string | undefined> {
    const found = await this.find(chain, graph);
    if (found === undefined) return undefined;
    let bringing = found;
    for (const batch of this.batches(chain.slice(chain.indexOf(found) + 1))) {
      const likely = await this.texts.keepLikely(await this.keepMatching(this.candidates(batch, graph)));
      const carriers = (await this.keepMerged(likely)).map(({ commitId }) => commitId);
      const lacking = batch.findIndex((id) => !carriers.includes(id));
      bringing = batch[(lacking < 0 ? batch.length : lacking) - 1] ?? bringing;
      if (lacking >= 0) return bringing;
    }
    return bringing;
  }

  /** Those of the newest candidates that no file rules out, whatever is in it, as many as there may be. @throws RemoteFailure */
  async findLikely(
    chain: readonly string[],
    { graph, max }: { graph: ReadonlyMap<string, Commit>; max: number },
  ): Promise<string[]> {
    const found: string[] = [];
    for (const batch of this.batches(chain)) {
      const likely = await this.texts.keepLikely(await this.keepMatching(this.candidates(batch, graph)));
      found.push(...likely.map(({ commitId }) => commitId));
      if (found.length >= max) break;
    }
    return found.slice(0, max);
  }

  private *batches(chain: readonly string[]): Generator<readonly string[]> {
    const newest = chain.slice(0, this.budget.caps.candidates);
    yield* groups(newest);
    if (newest.length < chain.length) throw tooLarge('target branch has too many commits to compare with');
  }

  private candidates(batch: readonly string[], graph: ReadonlyMap<string, Commit>): Candidate[] {
    return batch.map((commitId): Candidate => {
      const treeId = graph.get(commitId)?.treeId;
      const parentId = graph.get(commitId)?.parentIds[0];
      const parentTreeId = parentId === undefined ? undefined : graph.get(parentId)?.treeId;
      return { commitId, parentTreeId, places: [{ directory: this.changes, treeId }], texts: [] };
    });
  }

  private isOpen(candidate: Candidate): boolean {
    return this.texts.openOf(candidate).length > 0;
  }

  /** Those of which each file has the change as a merge makes it, of itself or of the first parent's version. */
  private async keepMerged(likely: readonly Candidate[]): Promise<Candidate[]> {
    const before = await this.versionsBefore(likely.filter((candidate) => this.isOpen(candidate)));
    return likely.filter((candidate) => {
      const versions = before.get(candidate.parentTreeId ?? '');
      return this.texts.openOf(candidate).every((text) => {
        const entry = versions?.get(text.file.path);
        return this.texts.isMergedIn(text, entry && isRegularFile(entry) ? entry.id : undefined);
      });
    });
  }

  /** What the candidates' parents have in place of the files that are open, by tree and path, loaded. */
  private async versionsBefore(
    candidates: readonly Candidate[],
  ): Promise<Map<string, Map<string, TreeEntry>>> {
    if (candidates.length === 0) return new Map();
    const paths = new Set(candidates.flatMap((each) => this.texts.openOf(each).map(({ file }) => file.path)));
    const treeIds = candidates.flatMap(({ parentTreeId }) => parentTreeId ?? []);
    const entries = await entriesAt(this.store, [...new Set(treeIds)], [...paths]);
    const files = [...entries.values()].flatMap((each) => [...each.values()].filter(isRegularFile));
    await this.store.load(files.map(({ id }) => id));
    return entries;
  }

  /** By directories alone, level by level, one request a level for all candidates that are left. */
  private async keepMatching(candidates: Candidate[]): Promise<Candidate[]> {
    let left = candidates;
    while (left.some(({ places }) => places.length > 0)) {
      await this.store.load(left.flatMap(({ places }) => places.flatMap((place) => this.unread(place))));
      left = left.flatMap((candidate) => this.descend(candidate) ?? []);
    }
    return left;
  }

  private descend({ places, texts, ...candidate }: Candidate): Candidate | undefined {
    const next: Candidate = { ...candidate, places: [], texts: [...texts] };
    for (const place of places) {
      const demands = this.judge(place);
      if (demands === 'lacking') return undefined;
      next.places.push(...demands.places);
      next.texts.push(...demands.texts);
    }
    return next;
  }

  private unread({ directory, treeId }: Place): string[] {
    const decided =
      treeId === undefined || treeId === directory.baseTreeId || treeId === directory.sourceTreeId;
    return decided || this.judged.get(directory)?.has(treeId) ? [] : [treeId];
  }

  private judge({ directory, treeId }: Place): Demands | 'lacking' {
    const known = this.judged.get(directory) ?? new Map<string | undefined, Demands | 'lacking'>();
    this.judged.set(directory, known);
    const demands = known.get(treeId) ?? this.compare(directory, treeId);
    known.set(treeId, demands);
    return demands;
  }

  private compare(directory: ChangedDirectory, treeId: string | undefined): Demands | 'lacking' {
    const demands: Demands = { places: [], texts: [] };
    if (treeId === directory.sourceTreeId) return demands;
    // Something differs below, so a directory that is still the base's can't have it.
    if (treeId === directory.baseTreeId) return 'lacking';
    const entries = this.entriesOf(treeId, directory);
    for (const [name, file] of directory.files) {
      const entry = entries.get(name);
      const found = isDirectory(entry) ? undefined : entry;
      if (isSameEntry(found, file.source)) continue;
      if (this.mayBeMoved && isMovable(file, found)) continue;
      if (!mayCarry(file, found)) return 'lacking';
      if (hasContent(file, found)) continue;
      demands.texts.push({ file, blobId: found.id });
    }
    for (const [name, below] of directory.directories) {
      const entry = entries.get(name);
      demands.places.push({ directory: below, treeId: isDirectory(entry) ? entry?.id : undefined });
    }
    return demands;
  }

  private entriesOf(
    treeId: string | undefined,
    { files, directories }: ChangedDirectory,
  ): Map<string, TreeEntry> {
    if (treeId === undefined) return new Map();
    return readTree(this.store.read(treeId, 'tree'), {
      has: (name) => files.has(name) || directories.has(name),
    });
  }
}

function* groups<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0, group = 0; start < items.length; group += 1) {
    const size = BATCHES[group] ?? LAST_BATCH;
    yield items.slice(start, start + size);
    start += size;
  }
}

/** What another side's rename could have made of a file: an edited one is gone, or an added one is another file. */
function isMovable({ base, source }: FileChange, found: TreeEntry | undefined): boolean {
  if (source === undefined) return false;
  return base === undefined ? found !== undefined && isRegularFile(found) : found === undefined;
}

/** Only a regular file that is one on all three sides, with the change of its mode if there was one. */
function mayCarry({ base, source }: FileChange, found: TreeEntry | undefined): found is TreeEntry {
  if (base === undefined || source === undefined || found === undefined) return false;
  if (![base, source, found].every(isRegularFile)) return false;
  // What is still the base's lacks whatever changed in it.
  if (found.id === base.id && source.id !== base.id) return false;
  return base.mode === source.mode || found.mode === source.mode;
}

/** Whether the content needs no look: it is the source's, or the source changed nothing but the mode. */
function hasContent({ base, source }: FileChange, found: TreeEntry): boolean {
  return found.id === source?.id || base?.id === source?.id;
}
