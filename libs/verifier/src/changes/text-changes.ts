import type { FileChange } from './change-set';
import type { ObjectStore } from './object-store';
import { TextChange, type TextLimits } from './text-change';

interface Texts {
  texts: readonly { file: FileChange; blobId: string }[];
}

/** Files that the first request brings, if one path has no more of them: the first paths rule out most candidates. */
const FIRST_FILES = 32;
/** Paths of one request, as a multiple of those before. */
const GROUP_GROWTH = 4;

/** The text changes of a change set, each file and each version of it compared once. */
export class TextChanges {
  private readonly changes = new Map<FileChange, TextChange | undefined>();
  private readonly carried = new Map<FileChange, Map<string, boolean>>();

  constructor(
    private readonly store: ObjectStore,
    private readonly limits: TextLimits,
  ) {}

  /** The candidates whose files carry the source's change, in their order. One request for each group of paths. */
  async keepCarrying<Candidate extends Texts>(candidates: readonly Candidate[]): Promise<Candidate[]> {
    let left = [...candidates];
    const files = [...new Set(candidates.flatMap(({ texts }) => texts.map(({ file }) => file)))];
    let size = Math.max(1, Math.floor(FIRST_FILES / (candidates.length + 2)));
    for (let start = 0; start < files.length && left.length > 0; start += size / GROUP_GROWTH) {
      const group = new Set(files.slice(start, start + size));
      await this.load(left, group);
      left = left.filter(({ texts }) =>
        texts.every(({ file, blobId }) => !group.has(file) || this.isCarried(file, blobId)),
      );
      size *= GROUP_GROWTH;
    }
    return left;
  }

  private async load(candidates: readonly Texts[], group: ReadonlySet<FileChange>): Promise<void> {
    const ids = [...group].flatMap(({ base, source }) => [base?.id ?? [], source?.id ?? []].flat());
    for (const { texts } of candidates) {
      for (const { file, blobId } of texts) if (group.has(file)) ids.push(blobId);
    }
    await this.store.load(ids);
  }

  private isCarried(file: FileChange, blobId: string): boolean {
    const known = this.carried.get(file) ?? new Map<string, boolean>();
    this.carried.set(file, known);
    const carried =
      known.get(blobId) ?? this.changeOf(file)?.isCarriedBy(this.store.read(blobId, 'blob')) ?? false;
    known.set(blobId, carried);
    return carried;
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
