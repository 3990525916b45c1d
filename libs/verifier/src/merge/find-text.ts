/**
 * The place of a text in another one, as `indexOf` finds it, in time proportional to both lengths. `indexOf` takes the product
 * of the lengths if both repeat themselves.
 *
 * @param from the first place that counts
 * @returns -1 if it is not there
 */
export function findText(text: string, part: string, from: number): number {
  if (part.length === 0) return Math.min(from, text.length);
  const borders = bordersOf(part);
  let matched = 0;
  for (let at = from; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== part[matched]) matched = borders[matched - 1]!;
    if (text[at] === part[matched]) matched += 1;
    if (matched === part.length) return at + 1 - matched;
  }
  return -1;
}

/** For each beginning of a text, the length of the longest shorter one that it also ends with (Knuth, Morris and Pratt). */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let matched = 0;
  for (let at = 1; at < text.length; at += 1) {
    while (matched > 0 && text[at] !== text[matched]) matched = borders[matched - 1]!;
    if (text[at] === text[matched]) matched += 1;
    borders[at] = matched;
  }
  return borders;
}
