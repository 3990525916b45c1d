/** Most changes between a word and the one it may stand for. */
const CHANGES_MAX = 2;

/** The most similar of some lines; undefined if none is similar enough. */
export function nearest(line: string, lines: readonly string[]): string | undefined {
  const [best] = lines
    .map((candidate) => ({ candidate, changes: changesBetween(line, candidate) }))
    .filter(({ changes }) => changes <= CHANGES_MAX)
    .sort((one, other) => one.changes - other.changes);
  return best?.candidate;
}

/** Letters to add, remove or replace to get from one text to the other (Levenshtein). */
function changesBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [place, letter] of [...from].entries()) {
    const next = [place + 1];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = (row[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
