import { isSameLines } from '../merge/text';

interface Sides {
  ours: readonly string[];
  theirs: readonly string[];
}

/** Lines that each side deleted: the base has them, and the side has none of them. */
export interface DeletedLines {
  byOurs: ReadonlySet<string>;
  byTheirs: ReadonlySet<string>;
}

export function deletedLines(base: readonly string[], { ours, theirs }: Sides): DeletedLines {
  const without = (side: readonly string[]) => {
    const lines = new Set(base);
    for (const line of side) lines.delete(line);
    return lines;
  };
  return { byOurs: without(ours), byTheirs: without(theirs) };
}

/**
 * Whether a decision is one side's lines followed by the other's, each with or without the lines that the other
 * side deleted. The source's lines alone count as well.
 */
export function isPutTogether(
  decision: readonly string[],
  { ours, theirs }: Sides,
  { byOurs, byTheirs }: DeletedLines,
): boolean {
  if (isSameLines(decision, theirs)) return true;
  return (
    isBehind(decision, { lines: ours, deleted: byTheirs }, { lines: theirs, deleted: byOurs }) ||
    isBehind(decision, { lines: theirs, deleted: byOurs }, { lines: ours, deleted: byTheirs })
  );
}

interface Part {
  lines: readonly string[];
  /** The lines that may be left out. */
  deleted: ReadonlySet<string>;
}

function isBehind(decision: readonly string[], first: Part, second: Part): boolean {
  let next = 0;
  for (const { lines, deleted } of [first, second]) {
    for (const line of lines) {
      if (decision[next] === line) next += 1;
      else if (!deleted.has(line)) return false;
    }
  }
  return next === decision.length;
}
