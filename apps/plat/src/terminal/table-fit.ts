/**
 * What the cells of a column are, which decides how a person sees them: an `id` is shortened where that names it, a
 * `commit` to its first digits; a `time` (RFC 3339) is counted from now; a `status` has its colour; what is `elastic`
 * gives way first where the terminal is narrow; what is `below` stands under its row, whole.
 */
export type ColumnKind = 'text' | 'id' | 'commit' | 'time' | 'status' | 'elastic' | 'below';

export interface Measured {
  as: ColumnKind;
  /** Of the header. */
  title: number;
  /** Of the widest cell, the header included. */
  width: number;
}

/** Narrower than this nothing can be recognised. */
const LEAST = 3;
const ELASTIC_LEAST = 12;

/** Which columns give way, in this order, and how narrow they may become. */
const ROUNDS: ReadonlyArray<{ gives(column: Measured): boolean; least(column: Measured): number }> = [
  { gives: ({ as }) => as === 'elastic', least: ({ title }) => Math.max(title, ELASTIC_LEAST) },
  { gives: ({ as }) => as === 'text' || as === 'elastic', least: ({ title }) => Math.max(title, LEAST) },
  { gives: () => true, least: () => LEAST },
];

/** @param room columns for all cells together; undefined: enough. @returns the width of each column */
export function fitted(columns: readonly Measured[], room: number | undefined): number[] {
  const widths = columns.map(({ width }) => width);
  if (room === undefined) return widths;
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  for (const { gives, least } of ROUNDS) {
    while (over > 0) {
      const widest = widestOf(widths, (at, width) => {
        const column = columns[at];
        return column !== undefined && gives(column) && width > least(column);
      });
      if (widest === undefined) break;
      widths[widest] = (widths[widest] ?? 0) - 1;
      over -= 1;
    }
  }
  return widths;
}

function widestOf(
  widths: readonly number[],
  mayGive: (at: number, width: number) => boolean,
): number | undefined {
  let found: number | undefined;
  for (const [at, width] of widths.entries()) {
    if (mayGive(at, width) && (found === undefined || width > (widths[found] ?? 0))) found = at;
  }
  return found;
}
