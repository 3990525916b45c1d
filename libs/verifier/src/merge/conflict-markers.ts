/** The lines that git writes around and between the sides of a conflict; longer ones in a conflict within another one. */
const MARKER = /^(?:([<>|])\1{6,}(?: |\r?\n?$)|={7,8}\r?\n?$)/;

/** Whether lines have a marker of a conflict that none of the merged texts has. */
export function hasMarkers(lines: readonly string[], merged: readonly (readonly string[])[]): boolean {
  return lines.some((line) => MARKER.test(line) && !merged.some((text) => text.includes(line)));
}
