/**
 * Characters that a formatter moves, adds or removes without a change of meaning: white space, quotes, commas before a
 * bracket, semicolons, and brackets around an expression.
 */
const LAYOUT = /[\s;,'"`()]+/g;

/**
 * Whether two texts differ in layout alone. White space can have a meaning (as in Python), so such texts are not taken
 * for equal; but the difference does not prove a loss either.
 */
export function differInLayoutAlone(one: readonly string[], other: readonly string[]): boolean {
  return withoutLayout(one) === withoutLayout(other);
}

export const withoutLayout = (lines: readonly string[]): string => lines.join('').replace(LAYOUT, '');
