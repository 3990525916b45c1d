import stringWidth from 'string-width';

const ELLIPSIS = '…';

/** Columns of a text on a terminal: a wide character takes two, a combining one none. */
export function displayWidth(text: string): number {
  // For printable ASCII, which most cells consist of, the length is the width.
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

/** The text in at most `width` columns; an omission is marked. */
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
