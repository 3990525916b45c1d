import type { FileChange } from '../objects/change-set';
import type { ObjectStore } from '../objects/object-store';
import type { TextLimits } from '../text-limits';
import { type Carrying, TextChange } from './text-change';

/** A file of the change set, and the candidate's version of it. */
export interface FoundText {
  file: FileChange;
  blobId: string;
}

interface Texts {
  texts: readonly FoundText[];
}

/** Files of the first request, if each path has one version. The first paths rule out most candidates. */
const FIRST_FILES = 32;
/** Paths of one request, as a multiple of those of the request before. */
const GROUP_GROWTH = 4;

/** The text changes of a change set. Each version of each file is compared once. */
export class TextChanges {
  private readonly changes = new Map<FileChange, TextChange | undefined>();
  private readonly carried = new Map<FileChange, Map<string, Carrying>>();
  private readonly merged = new Map<FileChange, Map<string, boolean>>();

  constructor(
    private readonly store: ObjectStore,
    private readonly limits: TextLimits,
  ) {}

  /**
   * Keeps the candidates in which no file lacks the source's change, in their order. Sends one request for each group
   * of paths.
   */
  async keepLikely<Candidate extends Texts>(candidates: readonly Candidate[]): Promise<Candidate[]> {
    let left = [...candidates];
    const files = [...new Set(candidates.flatMap(({ texts }) => texts.map(({ file }) => file)))];
    let size = Math.max(1, Math.floor(FIRST_FILES / (candidates.length + 2)));
    for (let start = 0; start < files.length && left.length > 0; start += size / GROUP_GROWTH) {
      const group = new Set(files.slice(start, start + size));
      await this.load(left, group);
      left = left.filter(({ texts }) =>
        texts.every((text) => !group.has(text.file) || this.carryingOf(text) !== 'lacking'),
      );
      size *= GROUP_GROWTH;
    }
    return left;
  }

  /** The files for which only a merge can determine whether they have the source's change. They are loaded. */
  openOf({ texts }: Texts): FoundText[] {
    return texts.filter((text) => this.carryingOf(text) === 'open');
  }

  /**
   * Whether merging the source's change into this version changes nothing, or merging it into the version before yields
   * this one. Both versions must be loaded.
   */
  isMergedIn({ file, blobId }: FoundText, beforeId: string | undefined): boolean {
    const read = (id: string) => this.store.read(id, 'blob');
    const key = `${blobId} ${beforeId ?? ''}`;
    const known = this.merged.get(file) ?? new Map<string, boolean>();
    this.merged.set(file, known);
    const isMerged =
      known.get(key) ??
      this.changeOf(file)?.isMergedIn(read(blobId), beforeId === undefined ? undefined : read(beforeId)) ??
      false;
    known.set(key, isMerged);
    return isMerged;
  }

  private async load(candidates: readonly Texts[], group: ReadonlySet<FileChange>): Promise<void> {
    const ids = [...group].flatMap(({ base, source }) => [base?.id ?? [], source?.id ?? []].flat());
    for (const { texts } of candidates) {
      for (const { file, blobId } of texts) if (group.has(file)) ids.push(blobId);
    }
    await this.store.load(ids);
  }

  private carryingOf({ file, blobId }: FoundText): Carrying {
    const known = this.carried.get(file) ?? new Map<string, Carrying>();
    this.carried.set(file, known);
    const carrying =
      known.get(blobId) ?? this.changeOf(file)?.carriedBy(this.store.read(blobId, 'blob')) ?? 'lacking';
    known.set(blobId, carrying);
    return carrying;
  }

  private changeOf(file: FileChange): TextChange | undefined {
    if (!this.changes.has(file)) {
      const { base, source } = file;
      const read = (id: string) => this.store.read(id, 'blob');
      this.changes.set(
        file,
        base && source && TextChange.between(read(base.id), read(source.id), this.limits),
      );
    }
    return this.changes.get(file);
  }
}
