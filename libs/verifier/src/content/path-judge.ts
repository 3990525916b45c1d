import type { ObjectStore } from '../changes/object-store';
import { isText, splitLines, TextChange, type TextLimits } from '../changes/text-change';
import { isRegularFile, isSameEntry, type TreeEntry } from '../pack/tree';
import type { DisputedPath } from './disputed-paths';
import { lineChanges } from '../merge/line-changes';
import { mergeEntry, type MergedEntry } from '../merge/merged-entry';

/**
 * What became of one path. `same`: as the merge has it. `extra`: the merge and more. `resolved`: the sides contradict
 * each other, and somebody decided. `lost`: the source's change is missing, or the target's is undone.
 */
export type PathOutcome =
  'same' | 'extra' | 'resolved' | 'source_change_missing' | 'target_change_undone' | 'unknown';

/** Changed lines of the base. */
interface Stretch {
  start: number;
  end: number;
}

/** `no_lines`: one of the two is no text, or is missing. */
type Stretches = readonly Stretch[] | 'no_lines' | 'tangled';

/** Judges disputed paths, each by itself. */
export class PathJudge {
  constructor(
    private readonly store: ObjectStore,
    private readonly limits: TextLimits,
  ) {}

  /** Fetches the files that have to be compared by lines. @throws RemoteFailure */
  async load(paths: readonly DisputedPath[]): Promise<void> {
    const ids = paths.flatMap(({ base, ours, theirs, landed }) => {
      // Without a base there are no lines to compare: an added file is there, or it is not.
      if (base === undefined || !isRegularFile(base)) return [];
      return [base, ours, theirs, landed].flatMap((entry) => (entry && isRegularFile(entry) ? entry.id : []));
    });
    await this.store.load(ids);
  }

  judge(path: DisputedPath): PathOutcome {
    const merged = this.merge(path);
    switch (merged.kind) {
      case 'unknown':
        return 'unknown';
      case 'clean':
        return isSameEntry(merged.entry, path.landed) ? 'same' : this.judgeDeviation(path);
      case 'conflict':
        return this.judgeResolution(path, merged);
    }
  }

  merge(path: DisputedPath): MergedEntry {
    return mergeEntry(path, this.read, this.limits);
  }

  readonly read = (id: string): Buffer => this.store.read(id, 'blob');

  /** The source's change has to be there whole; of the target's, nothing may be taken back. */
  private judgeDeviation({ base, ours, theirs, landed }: DisputedPath): PathOutcome {
    if (!isSameEntry(theirs, base)) {
      const carried = this.isCarried(base, theirs, landed);
      if (carried !== true) return carried === undefined ? 'unknown' : 'source_change_missing';
    }
    if (isSameEntry(ours, base)) return 'extra';
    const undone = this.isUndone(this.changesBetween(base, ours), { base, landed });
    if (undone === undefined) return 'unknown';
    const modeUndone = base && ours && landed && ours.mode !== base.mode && landed.mode === base.mode;
    return undone || modeUndone ? 'target_change_undone' : 'extra';
  }

  /** Where the sides contradict each other any decision is one, but not to take back both or what is not disputed. */
  private judgeResolution(
    { base, landed }: DisputedPath,
    { text }: MergedEntry & { kind: 'conflict' },
  ): PathOutcome {
    if (base !== undefined && isSameEntry(base, landed)) return 'source_change_missing';
    for (const side of ['theirs', 'ours'] as const) {
      const stretches = text?.stretches.filter(({ from }) => from === side) ?? [];
      const undone = stretches.length > 0 && this.isUndone(stretches, { base, landed });
      if (undone === undefined) return 'unknown';
      if (undone) return side === 'theirs' ? 'source_change_missing' : 'target_change_undone';
    }
    return 'resolved';
  }

  /** The rule of condition B for one path: the same entry, or every hunk at its place. Undefined: not to be told. */
  isCarried(base?: TreeEntry, changed?: TreeEntry, landed?: TreeEntry): boolean | undefined {
    if (isSameEntry(changed, landed)) return true;
    if (!base || !changed || !landed || ![base, changed, landed].every(isRegularFile)) return false;
    if (base.mode !== changed.mode && landed.mode !== changed.mode) return false;
    const texts = [base, changed, landed].map(({ id }) => this.read(id)) as [Buffer, Buffer, Buffer];
    if (texts.some(({ length }) => length > this.limits.diffedFileBytes)) return undefined;
    if (!texts.every((text) => isText(text, this.limits))) return false;
    const carrying = TextChange.between(texts[0], texts[1], this.limits)?.carriedBy(texts[2]);
    return carrying && carrying === 'carried';
  }

  /** Whether the base is back: as a whole, or where its lines had changed. Undefined: not to be told. */
  private isUndone(
    changes: Stretches,
    { base, landed }: Pick<DisputedPath, 'base' | 'landed'>,
  ): boolean | undefined {
    if (isSameEntry(base, landed)) return true;
    const landedChanges = this.changesBetween(base, landed);
    if (changes === 'tangled' || landedChanges === 'tangled') return undefined;
    // It is neither what the base has nor what it had become: somebody decided anew.
    if (changes === 'no_lines' || landedChanges === 'no_lines') return false;
    const isTouched = ({ start, end }: Stretch) =>
      landedChanges.some((landedChange) => landedChange.start <= end && start <= landedChange.end);
    return !changes.every(isTouched);
  }

  private changesBetween(base: TreeEntry | undefined, other: TreeEntry | undefined): Stretches {
    if (!base || !other || !isRegularFile(base) || !isRegularFile(other)) return 'no_lines';
    const texts = [this.read(base.id), this.read(other.id)] as const;
    if (texts.some(({ length }) => length > this.limits.diffedFileBytes)) return 'tangled';
    if (!texts.every((text) => isText(text, this.limits))) return 'no_lines';
    return lineChanges(splitLines(texts[0]), splitLines(texts[1])) ?? 'tangled';
  }
}
