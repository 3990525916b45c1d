/** Most edits between a word and what it may be a typing error of. */
const EDITS_MAX = 3;

/** The candidate that was probably meant by a mistyped word; undefined when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: editDistance(word, candidate) }))
    .filter(({ candidate, edits }) => edits <= Math.min(EDITS_MAX, candidate.length - 1))
    .sort((a, b) => a.edits - b.edits);
  return ranked[0]?.candidate;
}

/** Levenshtein's distance: insertions, deletions and substitutions. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, wanted] of [...to].entries()) {
      const substitution = (previous[column] as number) + (letter === wanted ? 0 : 1);
      current.push(
        Math.min(substitution, (previous[column + 1] as number) + 1, (current[column] as number) + 1),
      );
    }
    previous = current;
  }
  return previous[to.length] as number;
}
