import type { LineSteps } from '../line-steps';
import { type LineChange, lineChanges } from '../merge/line-changes';

/** The versions of a file, as lines, that one side moved and changed while the other side edited it at its old path. */
export interface MovedTexts {
  base: readonly string[];
  /** The version of the side that moved the file. */
  moved: readonly string[];
  /** The version of the side that edited the file at its old path. */
  edited: readonly string[];
  landed: readonly string[];
}

/** Least part of the base's lines that a moved file has, so that it can be the same file. */
const KEPT_PART_MIN = 0.5;

/**
 * Whether the moved file landed with the other side's edit: it has all lines that the edit added, and each hunk by
 * which it differs from the moved file belongs to the edit. Any other missing line is not explained by the rename.
 *
 * @param isEditOfSource whether the source made the edit, which may then replace moved lines, as in a conflict decided
 *   for the source
 */
export function isMovedWithEdit(
  { base, moved, edited, landed }: MovedTexts,
  isEditOfSource: boolean,
  steps: LineSteps,
): boolean {
  if (!keepsHalf(base, moved)) return false;
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

function keepsHalf(base: readonly string[], moved: readonly string[]): boolean {
  const lines = new Set(moved);
  return base.filter((line) => lines.has(line)).length >= KEPT_PART_MIN * base.length;
}

const addedLines = ({ sideStart, sideEnd }: LineChange, side: readonly string[]): readonly string[] =>
  side.slice(sideStart, sideEnd);
