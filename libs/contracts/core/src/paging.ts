import { decodeCursor, encodeCursor, type Keyset } from './cursor';
import { parseInstant } from './instant';

const PAGE_SIZE_DEFAULT = 50;
/** Most entries of a page. Rule A7. */
export const PAGE_SIZE_MAX = 200;

/** The page size for a `limit`: the default if it is below 1, the maximum if it is above that. Rule A7. */
export function pageSize(limit: number | undefined): number {
  if (limit === undefined || limit < 1) return PAGE_SIZE_DEFAULT;
  return Math.min(limit, PAGE_SIZE_MAX);
}

/** The parameters that every paged history takes, valid already. */
export interface PageQuery {
  since?: string;
  until?: string;
  cursor?: string;
  limit?: string;
}

/** The rows to read for a page. One row more than its size shows whether another page follows. */
export interface PageWindow {
  since?: string;
  until?: string;
  after?: Keyset;
  rows: number;
}

/** The window that a query of a history asks for, and the size of its page. */
export function readPage({ since, until, cursor, limit }: PageQuery): { size: number; window: PageWindow } {
  const size = pageSize(limit === undefined ? undefined : Number(limit));
  const [earliest, latest] = [since, until].map((text) => text && parseInstant(text));
  const after = cursor === undefined ? undefined : decodeCursor(cursor);
  const window = {
    since: earliest || undefined,
    until: latest || undefined,
    after,
    rows: size + 1,
  };
  return { size, window };
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
