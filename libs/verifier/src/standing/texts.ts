import type { Budget } from '../budget';
import { KnownChanges, type KnownText } from '../merge/known-changes';
import { countLines, isText, isTooLarge, splitLines } from '../merge/text';
import type { ObjectStore } from '../objects/object-store';
import { isRegularFile, type TreeEntry } from '../pack/tree';
import { withoutLayout } from '../undone/distinctive-lines';

/** Most lines that are kept. */
const KEPT_LINES_MAX = 500_000;

/** A version of a file. */
export interface Text extends KnownText {
  /** How often it has each line, without layout. */
  counts: ReadonlyMap<string, number>;
}

const EMPTY: Text = { lines: [], counts: new Map() };

/** The texts of one question. */
export class Texts {
  readonly changes: KnownChanges;
  private readonly kept = new Map<string, Text | undefined>();
  private lines = 0;

  constructor(
    private readonly store: ObjectStore,
    readonly budget: Budget,
  ) {
    this.changes = KnownChanges.of(budget);
  }

  /** Fetches the files. @throws RemoteFailure */
  load(entries: readonly (TreeEntry | undefined)[]): Promise<void> {
    return this.store.load(entries.flatMap((entry) => (entry && isRegularFile(entry) ? entry.id : [])));
  }

  /** A file that does not exist has no lines. @returns undefined if it is not a text */
  read(entry: TreeEntry | undefined): Text | undefined {
    if (entry === undefined) return EMPTY;
    if (!isRegularFile(entry)) return undefined;
    if (this.kept.has(entry.id)) return this.kept.get(entry.id);
    const content = this.store.read(entry.id, 'blob');
    const text = isText(content, this.budget.texts) ? this.textOf(entry.id, content) : undefined;
    this.lines += text?.lines.length ?? 0;
    if (this.lines > KEPT_LINES_MAX) {
      this.kept.clear();
      this.lines = text?.lines.length ?? 0;
    }
    this.kept.set(entry.id, text);
    return text;
  }

  /** Whether it may be a text that has too many lines to compare. */
  isTooLarge(entry: TreeEntry | undefined): boolean {
    if (entry === undefined || !isRegularFile(entry)) return false;
    return isTooLarge(this.store.read(entry.id, 'blob'), this.budget.texts);
  }

  private textOf(id: string, content: Buffer): Text {
    const lines = splitLines(content);
    this.budget.texts.steps.spend(lines.length);
    return { id, lines, counts: countLines(lines.map(withoutLayout)) };
  }
}
