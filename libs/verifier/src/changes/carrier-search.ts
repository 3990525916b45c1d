import type { VerifierCaps } from '../config';
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
    private readonly caps: VerifierCaps,
  ) {
    this.texts = new TextChanges(store, caps);
  }

  /**
   * @param chain commits, newest first
   * @returns the newest that carries the change set
   * @throws RemoteFailure
   */
  async find(chain: readonly string[], graph: ReadonlyMap<string, Commit>): Promise<string | undefined> {
    const newest = chain.slice(0, this.caps.candidates);
    for (let start = 0, batch = 0; start < newest.length; batch += 1) {
      const size = BATCHES[batch] ?? LAST_BATCH;
      const candidates = newest.slice(start, start + size).map((commitId): Candidate => {
        const place = { directory: this.changes, treeId: graph.get(commitId)?.treeId };
        return { commitId, places: [place], texts: [] };
      });
      const likely = await this.texts.keepLikely(await this.keepMatching(candidates));
      const carrier = await this.firstCarrier(likely, graph);
      if (carrier !== undefined) return carrier;
      start += size;
    }
    if (newest.length < chain.length) throw tooLarge('target branch has too many commits to compare with');
    return undefined;
  }

  /** The first of them that carries every file, by itself or as the merge onto its own first parent. */
  private async firstCarrier(
    likely: readonly Candidate[],
    graph: ReadonlyMap<string, Commit>,
  ): Promise<string | undefined> {
    const parentTreeOf = ({ commitId }: Candidate) => {
      const parentId = graph.get(commitId)?.parentIds[0];
      return parentId === undefined ? undefined : graph.get(parentId)?.treeId;
    };
    const isCarrier = (candidate: Candidate) => this.texts.openOf(candidate).length === 0;
    // Beyond the first that carries by itself nothing needs a look.
    const certain = likely.findIndex(isCarrier);
    const open = certain < 0 ? likely : likely.slice(0, certain);
    const before = await this.versionsBefore(open, parentTreeOf);
    for (const candidate of open) {
      const versions = before.get(parentTreeOf(candidate) ?? '');
      const isMerged = (text: FoundText) => {
        const entry = versions?.get(text.file.path);
        return entry !== undefined && isRegularFile(entry) && this.texts.isMergeOnto(entry.id, text);
      };
      if (this.texts.openOf(candidate).every(isMerged)) return candidate.commitId;
    }
    return likely[certain]?.commitId;
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
