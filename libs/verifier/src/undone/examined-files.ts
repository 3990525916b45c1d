import type { Budget } from '../budget';
import { KnownChanges, type KnownText } from '../merge/known-changes';
import type { LineChange } from '../merge/line-changes';
import { isText, splitLines } from '../merge/text';
import type { ObjectStore } from '../objects/object-store';
import { isRegularFile, type TreeEntry } from '../pack/tree';
import { countWanted } from './count-wanted';
import { withoutLayout } from './distinctive-lines';
import type { LandedPath } from './earlier-work';
import type { Comparing } from './undone-lines';

/** Most lines that are remembered. A line takes some 50 bytes. */
const REMEMBERED_LINES_MAX = 400_000;

/** The files of one examination. */
export class ExaminedFiles implements Comparing {
  private readonly changes: KnownChanges;
  private readonly texts = new Map<string, KnownText | undefined>();
  private remembered = 0;
  readonly steps: Comparing['steps'];

  constructor(
    private readonly store: ObjectStore,
    private readonly budget: Budget,
  ) {
    this.changes = KnownChanges.of(budget);
    this.steps = budget.texts.steps;
  }

  /** The lines of a file; one that does not exist has none. @returns undefined if it is not a text */
  read(entry: TreeEntry | undefined): KnownText | undefined {
    if (entry === undefined) return { lines: [] };
    if (!isRegularFile(entry)) return undefined;
    if (this.texts.has(entry.id)) return this.texts.get(entry.id);
    const content = this.store.read(entry.id, 'blob');
    const isComparable = isText(content, this.budget.texts);
    const text = isComparable ? { id: entry.id, lines: splitLines(content) } : undefined;
    this.remember(entry.id, text);
    return text;
  }

  private remember(id: string, text: KnownText | undefined): void {
    this.remembered += text?.lines.length ?? 0;
    if (this.remembered > REMEMBERED_LINES_MAX) {
      this.texts.clear();
      this.remembered = text?.lines.length ?? 0;
    }
    this.texts.set(id, text);
  }

  /** The same for a landed file. A link or a submodule in the place of a text has none of its lines. */
  readLanded(entry: TreeEntry | undefined): KnownText | undefined {
    return entry && !isRegularFile(entry) ? { lines: [] } : this.read(entry);
  }

  /** Counts in a landed file that is not a text the lines of texts. */
  countLanded(entry: TreeEntry | undefined, texts: readonly KnownText[]): Map<string, number> {
    if (entry === undefined || !isRegularFile(entry)) return new Map();
    const wanted = new Set(texts.flatMap(({ lines }) => lines));
    return countWanted(this.store.read(entry.id, 'blob'), wanted, this.steps);
  }

  readonly changesBetween = (from: KnownText, to: KnownText): readonly LineChange[] | undefined =>
    this.changes.betweenEnds(from, to);

  /** Those of some lines, all without their layout, that a landing adds anywhere. */
  findAdded(paths: readonly LandedPath[], lines: ReadonlySet<string>): ReadonlySet<string> {
    const added = new Set<string>();
    for (const { target, landed } of paths) {
      const [from, to] = [this.read(target), this.read(landed)];
      if (from === undefined || to === undefined) continue;
      for (const { sideStart, sideEnd } of this.changesBetween(from, to) ?? []) {
        for (const line of to.lines.slice(sideStart, sideEnd)) {
          const bare = withoutLayout(line);
          if (lines.has(bare)) added.add(bare);
        }
      }
    }
    return added;
  }
}
