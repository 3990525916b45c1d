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

/**
 * Letters to add, remove or replace, or neighbours to exchange, to get from one text to the other (the optimal string
 * alignment distance).
 */
function changesBetween(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let place = 1; place <= from.length; place += 1) {
    const next = [place];
    for (let at = 1; at <= to.length; at += 1) {
      const replaced = row[at - 1]! + (from[place - 1] === to[at - 1] ? 0 : 1);
      const isExchange = from[place - 1] === to[at - 2] && from[place - 2] === to[at - 1];
      const exchanged = isExchange ? before[at - 2]! + 1 : Infinity;
      next.push(Math.min(replaced, row[at]! + 1, next[at - 1]! + 1, exchanged));
    }
    [before, row] = [row, next];
  }
  return row.at(-1)!;
}
