/**
 * Characters that a formatter may move, add or remove without a change of meaning: white space, quotes, commas,
 * semicolons and round brackets.
 */
const LAYOUT = /[\s;,'"`()]+/g;

/**
 * Whether two texts differ in layout alone. Such texts do not count as equal, because white space can have a meaning
 * (as in Python); but the difference does not prove a loss either.
 */
export function differInLayoutAlone(one: readonly string[], other: readonly string[]): boolean {
  return withoutLayout(one) === withoutLayout(other);
}

export const withoutLayout = (lines: readonly string[]): string => lines.join('').replace(LAYOUT, '');
