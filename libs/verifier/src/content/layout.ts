/**
 * What a formatter moves, adds or takes away without meaning to change anything: white space, and the signs of which
 * some of it take the place (quotes, commas before a bracket, semicolons, brackets around an expression).
 */
const LAYOUT = /[\s;,'"`()]+/g;

/**
 * Whether two texts differ in layout alone. White space can mean something (in Python it does), so this is no reason
 * to take them for the same; but neither is it one to say that something was lost.
 */
export function differInLayoutAlone(one: readonly string[], other: readonly string[]): boolean {
  return withoutLayout(one) === withoutLayout(other);
}

export const withoutLayout = (lines: readonly string[]): string => lines.join('').replace(LAYOUT, '');
