import { Readable } from 'node:stream';
import { StreamableFile } from '@nestjs/common';

/** A JSON array: whole if it is short, else a stream that is sent while it is read. */
export type ListAnswer<Item> = Item[] | StreamableFile;

/** Rows of one page. Most listings are shorter and are answered whole. */
export const LIST_PAGE_ROWS = 200;
/** Rows of one page if a row holds long text, so that a page takes less than a megabyte. */
export const WIDE_PAGE_ROWS = 50;

/** A listing in pages. */
export interface PagedListing<Row, Item> {
  /** Most rows of a page; default LIST_PAGE_ROWS. */
  rowsMax?: number;
  /** The rows that follow a row, `rows` at most. If there are fewer, the listing ends with them. */
  page(after: Row | undefined, rows: number): Promise<Row[]>;
  toItem(row: Row): Item;
}

/**
 * Answers a listing of any length with the memory of a page. The next page is read when the caller has received the one
 * before, so that a slow reader holds no database connection. If a later page fails, the connection is cut, so that
 * a caller never takes half a listing for a whole one.
 *
 * @throws what the first page throws
 */
export async function answerList<Row, Item>(listing: PagedListing<Row, Item>): Promise<ListAnswer<Item>> {
  const { rowsMax = LIST_PAGE_ROWS, page, toItem } = listing;
  const first = await page(undefined, rowsMax);
  if (first.length < rowsMax) return first.map(toItem);
  const pieces = Readable.from(piecesOf({ rowsMax, page, toItem }, first), {
    objectMode: false,
    highWaterMark: 1,
  });
  return new StreamableFile(pieces, { type: 'application/json; charset=utf-8' });
}

/** Yields the array's text, one page at a time. */
async function* piecesOf<Row, Item>(
  { rowsMax, page, toItem }: Required<PagedListing<Row, Item>>,
  first: Row[],
): AsyncGenerator<string> {
  let before = '[';
  for (let rows = first; rows.length > 0; rows = await page(rows.at(-1), rowsMax)) {
    yield before + rows.map((row) => JSON.stringify(toItem(row))).join(',');
    if (rows.length < rowsMax) break;
    before = ',';
  }
  yield ']';
}
