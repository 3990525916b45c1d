/** A line with fewer signs is in many files, such as a bracket. Signs beyond ASCII are bytes here, of any encoding. */
const DISTINCTIVE = /[\w\x80-\xff]{3,}/;
const NOT_EMPTY = /[\w\x80-\xff]/;

/** @param isRestored whether the line's place has the very lines of before again: then a short line says enough */
export const isDistinctive = (line: string, isRestored = false): boolean =>
  (isRestored ? NOT_EMPTY : DISTINCTIVE).test(line);

export const withoutSpace = (line: string): string => line.replace(/\s+/g, '');

/** A line as it is the same after a move or a formatter. */
export const withoutLayout = (line: string): string => line.replace(/[\s'"`,;()]+/g, '');
