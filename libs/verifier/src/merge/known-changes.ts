import type { Budget } from '../budget';
import { changesBetweenEnds, type LineChange, lineChanges } from './line-changes';
import { mergeChanges, type MergedLines, type Sides } from './merge-lines';

/** Most changes that are remembered together; one takes about 50 bytes. */
const CHANGES_MAX = 300_000;

const ofVerification = new WeakMap<Budget, KnownChanges>();

/** The lines of a file with its id; a file that does not exist has neither. */
export interface KnownText {
  id?: string | undefined;
  lines: readonly string[];
}

/** The changes between files of one verification, which merges many a file several times. */
export class KnownChanges {
  private readonly known = new Map<string, readonly LineChange[] | undefined>();
  private count = 0;

  private constructor(private readonly budget: Budget) {}

  static of(budget: Budget): KnownChanges {
    const known = ofVerification.get(budget) ?? new KnownChanges(budget);
    ofVerification.set(budget, known);
    return known;
  }

  /**
   * Merges three texts as git does.
   *
   * @param ids of the files with these lines; one without an id is empty
   * @returns undefined if the texts are too tangled to merge
   * @throws RemoteFailure remote_too_large
   */
  mergeLines(
    ids: Partial<Record<'base' | keyof Sides, string | undefined>>,
    { base, ...sides }: Sides & { base: readonly string[] },
  ): MergedLines | undefined {
    const changesOf = (side: keyof Sides) =>
      this.between({ id: ids.base, lines: base }, { id: ids[side], lines: sides[side] });
    const ours = changesOf('ours');
    const theirs = ours && changesOf('theirs');
    return ours && theirs && mergeChanges({ ours, theirs }, sides);
  }

  /**
   * The changes from one text to another.
   *
   * @returns undefined if the texts are too tangled to compare
   * @throws RemoteFailure remote_too_large
   */
  between(from: KnownText, to: KnownText): readonly LineChange[] | undefined {
    return this.remember(`${from.id} ${to.id}`, () =>
      lineChanges(from.lines, to.lines, this.budget.texts.steps),
    );
  }

  /**
   * The same without the lines at both ends that the texts share, which are most of a long file. A merge must not use it: git
   * compares them too, so that a change among repeated lines can be in another place.
   *
   * @throws RemoteFailure remote_too_large
   */
  betweenEnds(from: KnownText, to: KnownText): readonly LineChange[] | undefined {
    return this.remember(`ends ${from.id} ${to.id}`, () =>
      changesBetweenEnds(from.lines, to.lines, this.budget.texts.steps),
    );
  }

  private remember(
    key: string,
    compute: () => readonly LineChange[] | undefined,
  ): readonly LineChange[] | undefined {
    if (this.known.has(key)) return this.known.get(key);
    const changes = compute();
    this.count += 1 + (changes?.length ?? 0);
    if (this.count > CHANGES_MAX) {
      this.known.clear();
      this.count = 1 + (changes?.length ?? 0);
    }
    this.known.set(key, changes);
    return changes;
  }
}
