import { printableLine } from './printable';
import type { Style } from './style';

/** Rows for a person: a header and cells of plain text. */
export interface Table {
  columns: readonly string[];
  rows: ReadonlyArray<ReadonlyArray<string | undefined>>;
  /** Said instead of an empty table on a terminal. */
  whenEmpty: string;
}

/** Aligned columns under a header, for a terminal. */
export function alignedTable(table: Table, style: Style): string {
  if (table.rows.length === 0) return `${style.dim(table.whenEmpty)}\n`;
  const rows = table.rows.map((row) => row.map((cell) => printableLine(cell ?? '-')));
  const widths = table.columns.map((title, at) =>
    Math.max(title.length, ...rows.map((row) => (row[at] ?? '').length)),
  );
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === cells.length - 1 ? cell : cell.padEnd(widths[at] ?? 0))).join('  ');
  return [style.bold(line(table.columns)), ...rows.map(line), ''].join('\n');
}

/** Tab-separated rows without a header, for a pipe: what `cut` and `awk` expect. */
export function tabSeparated(table: Table): string {
  return table.rows.map((row) => `${row.map((cell) => printableLine(cell ?? '')).join('\t')}\n`).join('');
}
