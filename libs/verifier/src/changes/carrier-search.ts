import type { Budget } from '../budget';
import type { Commit } from '../pack/commit';
import { isDirectory, isRegularFile, isSameEntry, readTree, type TreeEntry } from '../pack/tree';
import { tooLarge } from '../remote-failure';
import type { ChangedDirectory, FileChange } from './change-set';
import { entriesAt } from './entries-at';
import type { ObjectStore } from './object-store';
import { type FoundText, TextChanges } from './text-changes';

/** Candidates are read in growing batches, since a landing is usually among the newest. */
const BATCHES = [1, 8, 64, 512];
const LAST_BATCH = 2_048;

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
  ) {
    this.texts = new TextChanges(store, budget.texts);
  }

  /**
   * @param chain commits, newest first
   * @returns the newest that carries the change set
   * @throws RemoteFailure
   */
  async find(chain: readonly string[], graph: ReadonlyMap<string, Commit>): Promise<string | undefined> {
    for (const batch of this.batches(chain)) {
      const [carrier] = await this.carriersAmong(batch, graph, { onlyFirst: true });
      if (carrier !== undefined) return carrier;
    }
    return undefined;
  }

  /**
   * @returns the commit with which the change set came to be in the newest one that carries it: the oldest of those
   *   that carry it one after the other
   * @throws RemoteFailure
   */
  async findBringing(
    chain: readonly string[],
    graph: ReadonlyMap<string, Commit>,
  ): Promise<string | undefined> {
    const newest = await this.find(chain, graph);
    if (newest === undefined) return undefined;
    let bringing = newest;
    for (const batch of this.batches(chain.slice(chain.indexOf(newest) + 1))) {
      const carriers = new Set(await this.carriersAmong(batch, graph));
      const lacking = batch.findIndex((id) => !carriers.has(id));
      bringing = batch[(lacking < 0 ? batch.length : lacking) - 1] ?? bringing;
      if (lacking >= 0) return bringing;
    }
    return bringing;
  }

  private *batches(chain: readonly string[]): Generator<readonly string[]> {
    const newest = chain.slice(0, this.budget.caps.candidates);
    for (let start = 0, batch = 0; start < newest.length; batch += 1) {
      const size = BATCHES[batch] ?? LAST_BATCH;
      yield newest.slice(start, start + size);
      start += size;
    }
    if (newest.length < chain.length) throw tooLarge('target branch has too many commits to compare with');
  }

  /** Those that carry every file, by itself or as the merge onto their own first parent; newest first. */
  private async carriersAmong(
    batch: readonly string[],
    graph: ReadonlyMap<string, Commit>,
    { onlyFirst = false } = {},
  ): Promise<string[]> {
    const candidates = batch.map((commitId): Candidate => {
      const place = { directory: this.changes, treeId: graph.get(commitId)?.treeId };
      return { commitId, places: [place], texts: [] };
    });
    const likely = await this.texts.keepLikely(await this.keepMatching(candidates));
    const isOpen = (candidate: Candidate) => this.texts.openOf(candidate).length > 0;
    // Beyond the first that carries by itself nothing needs a look.
    const certain = onlyFirst ? likely.findIndex((candidate) => !isOpen(candidate)) : -1;
    const asked = certain < 0 ? likely : likely.slice(0, certain + 1);
    const treeOf = (id: string | undefined) => (id === undefined ? undefined : graph.get(id)?.treeId);
    const parentTreeOf = ({ commitId }: Candidate) => treeOf(graph.get(commitId)?.parentIds[0]);
    const before = await this.versionsBefore(asked.filter(isOpen), parentTreeOf);
    const isMerged = (candidate: Candidate, text: FoundText) => {
      const entry = before.get(parentTreeOf(candidate) ?? '')?.get(text.file.path);
      return entry !== undefined && isRegularFile(entry) && this.texts.isMergeOnto(entry.id, text);
    };
    return asked
      .filter((candidate) => this.texts.openOf(candidate).every((text) => isMerged(candidate, text)))
      .map(({ commitId }) => commitId);
  }

  /** What the candidates' parents have in place of the files that are open, by tree and path, loaded. */
  private async versionsBefore(
    candidates: readonly Candidate[],
    parentTreeOf: (candidate: Candidate) => string | undefined,
  ): Promise<Map<string, Map<string, TreeEntry>>> {
    if (candidates.length === 0) return new Map();
    const paths = new Set(candidates.flatMap((each) => this.texts.openOf(each).map(({ file }) => file.path)));
    const treeIds = candidates.flatMap((each) => parentTreeOf(each) ?? []);
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

  private descend({ commitId, places, texts }: Candidate): Candidate | undefined {
    const next: Candidate = { commitId, places: [], texts: [...texts] };
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

/** Only a regular file that is one on all three sides, with the change of its mode if there was one. */
function mayCarry({ base, source }: FileChange, found: TreeEntry | undefined): found is TreeEntry {
  if (base === undefined || source === undefined || found === undefined) return false;
  if (![base, source, found].every(isRegularFile)) return false;
  return base.mode === source.mode || found.mode === source.mode;
}

/** Whether the content needs no look: it is the source's, or the source changed nothing but the mode. */
function hasContent({ base, source }: FileChange, found: TreeEntry): boolean {
  return found.id === source?.id || base?.id === source?.id;
}
