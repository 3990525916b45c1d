import type { LineSteps } from '../line-steps';
import { objectIdOf } from '../pack/object-id';
import { isRegularFile, type TreeEntry } from '../pack/tree';
import { type ChunkBytes, chunkBytes, type ComparedFile, SCORE_MAX, similarity } from './similarity';

/** A path with its entry; bytes of the name as latin1. */
export interface NamedEntry {
  path: string;
  entry: TreeEntry;
}

/** One side's changes to whole files since the base. */
export interface MovedFiles {
  deleted: readonly NamedEntry[];
  added: readonly NamedEntry[];
  /** Directories of the base of which the side has none any more. */
  removedFolders?: ReadonlySet<string>;
}

/** git's default: half of the file has to be left. */
const SCORE_MIN = SCORE_MAX / 2;
/** A file that moves to a file of the same name is not compared with other files if this much of it is left. */
const SAME_NAME_SCORE_MIN = SCORE_MIN + (SCORE_MAX - SCORE_MIN) / 2;

/** Bytes that are split into chunks in the time of one step. */
const BYTES_PER_STEP = 4;

const EMPTY_FILE = objectIdOf('blob', Buffer.alloc(0));
/** Most candidates that are kept for one added file. The best ones are kept. */
const CANDIDATES_PER_FILE = 4;

interface Candidate {
  from: NamedEntry;
  to: NamedEntry;
  score: number;
  sameName: boolean;
}

/**
 * Finds renames as git's merge does (`diffcore-rename`): first equal files, then files of the same name, then the most
 * similar ones. Comparing files costs steps; with too many of them it throws RemoteFailure remote_too_large.
 */
export class RenameDetection {
  private readonly files = new Map<string, ComparedFile>();
  private readonly renamedTo = new Map<string, NamedEntry>();
  private readonly taken = new Set<string>();
  /** Whether git's renames cannot be known, because two folders are equally likely for a file. */
  isUnclear = false;
  private readonly deleted: readonly NamedEntry[];
  private readonly added: readonly NamedEntry[];
  private readonly removedFolders: ReadonlySet<string>;

  /** @param read returns the content of a file by id; called only for the files that `toRead` returns */
  constructor(
    { deleted, added, removedFolders = new Set() }: MovedFiles,
    private readonly read: (id: string) => Buffer,
    private readonly steps: LineSteps,
  ) {
    const isMovable = ({ entry }: NamedEntry) => entry.id !== EMPTY_FILE;
    this.deleted = deleted.filter(isMovable);
    this.added = added.filter(isMovable);
    this.removedFolders = removedFolders;
    this.findEqual();
  }

  /** The files whose contents are needed to find the wanted renames. */
  toRead(wanted: ReadonlySet<string>): string[] {
    const open = this.open(wanted);
    if (open.length === 0) return [];
    return [...open, ...this.free()].flatMap(({ entry }) => (isRegularFile(entry) ? [entry.id] : []));
  }

  /** The new paths of the wanted files. A file that was deleted has none. */
  find(wanted: ReadonlySet<string>): ReadonlyMap<string, NamedEntry> {
    this.findSameName(wanted);
    this.findLikest(wanted);
    return this.renamedTo;
  }

  private findEqual(): void {
    const byId = new Map<string, NamedEntry[]>();
    for (const from of this.deleted) byId.set(from.entry.id, [...(byId.get(from.entry.id) ?? []), from]);
    for (const to of this.added) {
      const equal = (byId.get(to.entry.id) ?? []).filter(
        ({ path, entry }) =>
          !this.renamedTo.has(path) &&
          (entry.mode === to.entry.mode || (isRegularFile(entry) && isRegularFile(to.entry))),
      );
      const from = equal.find(({ path }) => nameOf(path) === nameOf(to.path)) ?? equal[0];
      if (from !== undefined) this.take(from, to);
    }
  }

  private findSameName(wanted: ReadonlySet<string>): void {
    const [left, free] = [this.deleted.filter(({ path }) => !this.renamedTo.has(path)), this.free()];
    const [sources, targets] = [byName(left), byName(free)];
    const folders = this.guessFolders();
    for (const from of this.open(wanted)) {
      const name = nameOf(from.path);
      const named = targets.get(name) ?? [];
      const isOnly = sources.get(name)?.length === 1 && named.length === 1;
      const guessed = folders.get(folderOf(from.path)) ?? [];
      const likely = isOnly ? named : named.filter(({ path }) => guessed.includes(folderOf(path)));
      if (!isOnly && likely.length > 0 && guessed.length > 1) this.isUnclear = true;
      const [to] = likely;
      if (to === undefined || this.taken.has(to.path)) continue;
      if (this.scoreOf(from, to, SAME_NAME_SCORE_MIN) >= SAME_NAME_SCORE_MIN) this.take(from, to);
    }
  }

  /**
   * The folders to which most of the equal files of a removed folder moved, by that folder. git looks there for a name that is
   * not unique. Of several it takes one by the order of a hash table.
   */
  private guessFolders(): Map<string, string[]> {
    const counts = new Map<string, Map<string, number>>();
    for (const [from, { path: to }] of this.renamedTo) {
      const [old, now] = [folderOf(from), folderOf(to)];
      if (!this.removedFolders.has(old)) continue;
      const moved = counts.get(old) ?? new Map<string, number>();
      counts.set(old, moved.set(now, (moved.get(now) ?? 0) + 1));
    }
    const most = (moved: Map<string, number>): string[] => {
      const max = Math.max(...moved.values());
      // git looks for no file in the root.
      return [...moved].flatMap(([folder, count]) => (count === max && folder !== '' ? folder : []));
    };
    return new Map([...counts].map(([old, moved]) => [old, most(moved)]));
  }

  private findLikest(wanted: ReadonlySet<string>): void {
    const open = this.open(wanted);
    const candidates = this.free().flatMap((to) =>
      open
        .map((from): Candidate => {
          const score = this.scoreOf(from, to, SCORE_MIN);
          return { from, to, score, sameName: nameOf(from.path) === nameOf(to.path) };
        })
        .filter(({ score }) => score >= SCORE_MIN)
        .sort(byScore)
        .slice(0, CANDIDATES_PER_FILE),
    );
    for (const { from, to } of candidates.sort(byScore)) {
      if (!this.renamedTo.has(from.path) && !this.taken.has(to.path)) this.take(from, to);
    }
  }

  private open(wanted: ReadonlySet<string>): NamedEntry[] {
    return this.deleted.filter(({ path }) => wanted.has(path) && !this.renamedTo.has(path));
  }

  private free(): NamedEntry[] {
    return this.added.filter(({ path }) => !this.taken.has(path));
  }

  private take(from: NamedEntry, to: NamedEntry): void {
    this.renamedTo.set(from.path, to);
    this.taken.add(to.path);
  }

  private scoreOf(from: NamedEntry, to: NamedEntry, scoreMin: number): number {
    if (!isRegularFile(from.entry) || !isRegularFile(to.entry)) return 0;
    return similarity(this.fileOf(from.entry.id), this.fileOf(to.entry.id), scoreMin);
  }

  private fileOf(id: string): ComparedFile {
    const known = this.files.get(id);
    if (known) return known;
    let content: Buffer | undefined = this.read(id);
    let chunks: ChunkBytes | undefined;
    const file = {
      size: content.length,
      chunks: () => {
        if (content !== undefined) this.steps.spend(Math.ceil(content.length / BYTES_PER_STEP));
        chunks ??= chunkBytes(content as Buffer);
        content = undefined;
        // The caller goes through all chunks.
        this.steps.spend(chunks.size);
        return chunks;
      },
    };
    this.files.set(id, file);
    return file;
  }
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

const byScore = (one: Candidate, other: Candidate): number =>
  other.score - one.score || Number(other.sameName) - Number(one.sameName);

function byName(entries: readonly NamedEntry[]): Map<string, NamedEntry[]> {
  const named = new Map<string, NamedEntry[]>();
  for (const each of entries) {
    const name = nameOf(each.path);
    named.set(name, [...(named.get(name) ?? []), each]);
  }
  return named;
}
