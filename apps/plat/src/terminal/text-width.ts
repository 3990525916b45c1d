import stringWidth from 'string-width';

const ELLIPSIS = '…';

/** Columns that a text takes on a terminal: a wide character takes two, a combining one none. */
export function displayWidth(text: string): number {
  // What most cells are is its own measure.
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

/** The text in at most so many columns; what is left out is marked. */
export function truncated(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let kept = '';
  let taken = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const next = displayWidth(segment);
    if (taken + next > width - 1) break;
    kept += segment;
    taken += next;
  }
  return width < 1 ? '' : kept + ELLIPSIS;
}
