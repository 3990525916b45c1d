import type { Budget } from '../budget';
import type { ChangedDirectory, FileChange } from '../objects/change-set';
import { entriesAt } from '../objects/entries-at';
import type { ObjectStore } from '../objects/object-store';
import type { Commit } from '../pack/commit';
import { isDirectory, isRegularFile, isSameEntry, readTree, type TreeEntry } from '../pack/tree';
import { tooLarge } from '../remote-failure';
import { type FoundText, TextChanges } from './text-changes';

/** Candidates are read in growing batches, since a landing is usually among the newest. */
const BATCHES = [1, 16, 256];
const LAST_BATCH = 4_096;

/** A directory of the change set, and the candidate's tree at its path; undefined if the candidate has none there. */
interface Place {
  directory: ChangedDirectory;
  treeId: string | undefined;
}

/** The demands that a candidate still has to satisfy below one place. */
interface Demands {
  places: Place[];
  /** Files that differ from the source's, but may have the source's change among others. */
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
  /** Results by directory and tree: candidates share most of their directories, so each is compared once. */
  private readonly judged = new Map<ChangedDirectory, Map<string | undefined, Demands | 'lacking'>>();

  constructor(
    private readonly store: ObjectStore,
    private readonly changes: ChangedDirectory,
    private readonly budget: Budget,
    /**
     * Whether to accept a missing file that others may have moved, and other content in a file that the source may have
     * moved.
     */
    private readonly mayBeMoved = false,
  ) {
    this.texts = new TextChanges(store, budget.texts);
  }

  /**
   * @param chain commits, newest first
   * @returns a commit that carries the change set, undefined if none does; a carrier that a diff shows is preferred to
   *   one that only a merge shows
   * @throws RemoteFailure
   */
  async find(chain: readonly string[], graph: ReadonlyMap<string, Commit>): Promise<string | undefined> {
    for (const batch of this.batches(chain)) {
      // Oldest first: of several carriers, the oldest is the most likely landing.
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
   * @returns the commit that brought the change set: the oldest in the unbroken run of carriers that ends with the one
   *   found
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

  /** Finds up to `max` of the newest candidates in which no file lacks the change for certain. @throws RemoteFailure */
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

  /**
   * Keeps the candidates whose open files all have the change: merging it into the file changes nothing, or merging it
   * into the first parent's version yields the file.
   */
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

  /** Loads the versions of the open files in the candidates' first parents. @returns entries by tree and path */
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

  /** Compares directories alone, level by level, with one request for each level for all remaining candidates. */
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
    // Something differs below, so a directory that equals the base's lacks the change.
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

/** Whether another side's rename explains the difference: an edited file is gone, or an added one has other content. */
function isMovable({ base, source }: FileChange, found: TreeEntry | undefined): boolean {
  if (source === undefined) return false;
  return base === undefined ? found !== undefined && isRegularFile(found) : found === undefined;
}

/** Whether a file may have the change: regular in all three versions, with the changed mode if the mode changed. */
function mayCarry({ base, source }: FileChange, found: TreeEntry | undefined): found is TreeEntry {
  if (base === undefined || source === undefined || found === undefined) return false;
  if (![base, source, found].every(isRegularFile)) return false;
  // Content that equals the base's lacks any change of content.
  if (found.id === base.id && source.id !== base.id) return false;
  return base.mode === source.mode || found.mode === source.mode;
}

/** Whether the content needs no comparison: it is the source's, or the source changed the mode alone. */
function hasContent({ base, source }: FileChange, found: TreeEntry): boolean {
  return found.id === source?.id || base?.id === source?.id;
}
