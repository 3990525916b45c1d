import { printableLine } from './printable';
import { relativeTime } from './relative-time';
import { shortIds } from './short-ids';
import type { Style } from './style';
import { type ColumnKind, fitted } from './table-fit';
import { displayWidth, truncated } from './text-width';

export interface Column {
  title: string;
  as: ColumnKind;
}

/** A header and rows of complete plain text. A person gets shortened cells, a pipe gets whole ones without a header. */
export interface Table {
  columns: ReadonlyArray<string | Column>;
  rows: ReadonlyArray<ReadonlyArray<string | undefined>>;
  /** Printed instead of an empty table. */
  whenEmpty: string;
}

/** The form of a table for a person. */
export interface View {
  style: Style;
  /** Width of the terminal in columns; undefined: unlimited. */
  width?: number | undefined;
  now: Date;
}

const COMMIT_LENGTH = 10;
const GAP = '  ';

/** Aligned columns under a header, for a terminal, no wider than the terminal. */
export function alignedTable(table: Table, view: View): string {
  const { style, width } = view;
  if (table.rows.length === 0) return `${style.dim(table.whenEmpty)}\n`;
  const all = table.columns.map((column, at) => ({
    ...(typeof column === 'string' ? { title: column, as: 'text' as const } : column),
    cells: table.rows.map((row) => row[at]),
  }));
  const columns = all.filter(({ as }) => as !== 'below');
  const below = all.filter(({ as }) => as === 'below');
  const shown = columns.map(({ as, cells }) => cellsForPerson(as, cells, view.now));
  const widths = fitted(
    columns.map(({ title, as }, at) => ({
      as,
      title: displayWidth(title),
      width: Math.max(displayWidth(title), ...(shown[at] ?? []).map(displayWidth)),
    })),
    width === undefined ? undefined : width - GAP.length * (columns.length - 1),
  );
  const line = (cells: readonly string[], paint: (text: string, at: number) => string) =>
    cells
      .map((cell, at) => {
        const text = truncated(cell, widths[at] ?? 0);
        const isLast = at === cells.length - 1;
        return paint(text, at) + (isLast ? '' : ' '.repeat((widths[at] ?? 0) - displayWidth(text)));
      })
      .join(GAP);
  const rows = table.rows.flatMap((_row, row) => [
    line(
      shown.map((column) => column[row] ?? ''),
      (text, at) => (columns[at]?.as === 'status' ? statusColour(text, style) : text),
    ),
    ...below.flatMap(({ title, cells }) => {
      const text = cells[row];
      return text === undefined || text === ''
        ? []
        : [`${GAP}${title.toLowerCase()}: ${printableLine(text)}`];
    }),
  ]);
  const header = style.bold(
    line(
      columns.map(({ title }) => title),
      (text) => text,
    ).trimEnd(),
  );
  return [header, ...rows, ''].join('\n');
}

/** Tab-separated rows without a header, for a pipe, as `cut` and `awk` expect. */
export function tabSeparated(table: Table): string {
  return table.rows.map((row) => `${row.map((cell) => printableLine(cell ?? '')).join('\t')}\n`).join('');
}

function cellsForPerson(as: ColumnKind, cells: ReadonlyArray<string | undefined>, now: Date): string[] {
  const short = as === 'id' ? shortIds(cells.filter((cell) => cell !== undefined)) : undefined;
  return cells.map((cell) => {
    if (cell === undefined || cell === '') return '-';
    if (as === 'time') return printableLine(relativeTime(cell, now));
    if (as === 'commit') return printableLine(cell).slice(0, COMMIT_LENGTH);
    return printableLine(short?.get(cell) ?? cell);
  });
}

const COLOURS: Readonly<Record<string, 'green' | 'red' | 'yellow' | 'dim'>> = {
  MERGED: 'green',
  MERGED_ELSEWHERE: 'green',
  'MERGED BY_HAND': 'yellow',
  'MERGED_ELSEWHERE BY_HAND': 'yellow',
  'MERGED DIVERGENT': 'red',
  'MERGED_ELSEWHERE DIVERGENT': 'red',
  PASSED: 'green',
  succeeded: 'green',
  merged: 'green',
  released: 'green',
  ok: 'green',
  FAILED: 'red',
  failed: 'red',
  READY: 'yellow',
  MERGE: 'yellow',
  RUNNING: 'yellow',
  running: 'yellow',
  OPEN: 'yellow',
  ABANDONED: 'yellow',
  INCONCLUSIVE: 'yellow',
  CLOSED: 'dim',
  skipped: 'dim',
  undecided: 'yellow',
};

function statusColour(text: string, style: Style): string {
  const colour = Object.hasOwn(COLOURS, text) ? COLOURS[text] : undefined;
  return colour === undefined ? text : style[colour](text);
}
