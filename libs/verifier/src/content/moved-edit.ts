import type { LineSteps } from '../line-steps';
import { type LineChange, lineChanges } from '../merge/line-changes';

/** What became of a file that one side moved and changed, while the other side edited it in its old place. As lines. */
export interface MovedTexts {
  base: readonly string[];
  /** Of the side that moved it. */
  moved: readonly string[];
  /** Of the side that edited it in the old place. */
  edited: readonly string[];
  landed: readonly string[];
}

/**
 * Whether the moved file landed with the other side's edit: all that the edit added is there, and each hunk by which
 * the landed file differs from the moved one is of that edit. A line that is missing besides is no part of a rename.
 *
 * @param isEditOfSource then the edit may stand in the place of moved lines: somebody decided for the source
 */
export function isMovedWithEdit(
  { base, moved, edited, landed }: MovedTexts,
  isEditOfSource: boolean,
  steps: LineSteps,
): boolean {
  const edit = lineChanges(base, edited, steps);
  const hunks = lineChanges(moved, landed, steps);
  if (edit === undefined || hunks === undefined) return false;
  const added = new Set(edit.flatMap((change) => addedLines(change, edited)));
  const deleted = new Set(edit.flatMap(({ start, end }) => base.slice(start, end)));
  const isOfEdit = (hunk: LineChange) => {
    const instead = addedLines(hunk, landed);
    const mayReplace = isEditOfSource && instead.length > 0;
    const gone = moved.slice(hunk.start, hunk.end);
    return (
      instead.every((line) => added.has(line)) && (mayReplace || gone.every((line) => deleted.has(line)))
    );
  };
  const there = new Set(landed);
  return [...added].every((line) => there.has(line)) && hunks.every(isOfEdit);
}

const addedLines = ({ sideStart, sideEnd }: LineChange, side: readonly string[]): readonly string[] =>
  side.slice(sideStart, sideEnd);
