/** Most changes between a word and the one it may stand for. */
const CHANGES_MAX = 2;

/** The candidate that is most similar to a mistyped word or line; undefined if none is similar enough. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const [best] = candidates
    .map((candidate) => ({ candidate, changes: changesBetween(word, candidate) }))
    .filter(({ candidate, changes }) => changes <= Math.min(CHANGES_MAX, candidate.length - 1))
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
