/**
 * The kind of a column's cells, which determines their form for a person: an `id` is shortened while it stays unique, a
 * `commit` to its first digits; a `time` (RFC 3339) is relative to now; a `status` has its colour; an `elastic` one is
 * cut first on a narrow terminal, a `number` last, because a part of one means something else; one `below` is printed whole under its row.
 */
export type ColumnKind = 'text' | 'id' | 'commit' | 'time' | 'status' | 'elastic' | 'number' | 'below';

export interface Measured {
  as: ColumnKind;
  /** Width of the header. */
  title: number;
  /** Width of the widest cell, including the header. */
  width: number;
}

/** A narrower cell would be unrecognisable. */
const LEAST = 3;
const ELASTIC_LEAST = 12;

/** The columns to narrow, in this order, and their least width. */
const ROUNDS: ReadonlyArray<{ gives(column: Measured): boolean; least(column: Measured): number }> = [
  { gives: ({ as }) => as === 'elastic', least: ({ title }) => Math.max(title, ELASTIC_LEAST) },
  { gives: ({ as }) => as === 'text' || as === 'elastic', least: ({ title }) => Math.max(title, LEAST) },
  { gives: ({ as }) => as !== 'number', least: () => LEAST },
  { gives: () => true, least: () => LEAST },
];

/** @param room columns for all cells together; undefined: unlimited. @returns the width of each column */
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
