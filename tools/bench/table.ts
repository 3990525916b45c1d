/** The cell that reports whether a goal is reached. */
export const verdict = (reached: boolean): string => (reached ? 'ok' : 'BELOW');

/** Columns as wide as their widest cell: the first to the left, the others to the right. */
export function table(rows: string[][]): string {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ');
  return `${rows.map((row) => line(row).trimEnd()).join('\n')}\n`;
}
