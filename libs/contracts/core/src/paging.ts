import { encodeCursor, type Keyset } from './cursor';

export const PAGE_SIZE_DEFAULT = 50;
export const PAGE_SIZE_MAX = 200;

/** A page's size from the `limit` given: below 1 the default, above the maximum the maximum. Decision A7. */
export function pageSize(limit: number | undefined): number {
  if (limit === undefined || limit < 1) return PAGE_SIZE_DEFAULT;
  return Math.min(limit, PAGE_SIZE_MAX);
}

/** Cuts a page from rows that were read with one more than its size, and names the next page if there is one. */
export function cutPage<Row>(
  rows: Row[],
  size: number,
  place: (row: Row) => Keyset,
): { rows: Row[]; nextCursor?: string } {
  if (rows.length <= size) return { rows };
  const page = rows.slice(0, size);
  return { rows: page, nextCursor: encodeCursor(place(page[size - 1]!)) };
}
