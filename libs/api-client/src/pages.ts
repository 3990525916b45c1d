import type { ApiClient } from './api-client';
import { ForeignAnswer } from './api-fault';

/** More than any listing has: with pages of 200 entries, two million of them. */
const PAGES_MAX = 10_000;

/**
 * Reads a listing page by page, to its end.
 *
 * @param read reads the page at a cursor; undefined: the first one
 * @throws ForeignAnswer for a cursor that was followed before, an empty page before the last one, or too many pages, by
 * which the listing would have no end
 */
export async function* readPages<Page extends { nextCursor?: string }>(
  { baseUrl }: Pick<ApiClient, 'baseUrl'>,
  read: (cursor: string | undefined) => Promise<Page>,
): AsyncGenerator<Page, void, undefined> {
  const followed = new Set<string>();
  let cursor: string | undefined;
  for (;;) {
    const page = await read(cursor);
    yield page;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
    const fault = faultOf(page, cursor, followed);
    if (fault !== undefined) throw new ForeignAnswer(baseUrl, 200, fault);
    followed.add(cursor);
  }
}

/** Why a page that leads to a cursor shows that the listing has no end. */
function faultOf(page: object, cursor: string, followed: ReadonlySet<string>): string | undefined {
  if (followed.has(cursor)) return 'its pages lead in a circle';
  const lists = Object.values(page).filter((value): value is unknown[] => Array.isArray(value));
  if (lists.length > 0 && lists.every(({ length }) => length === 0)) {
    return 'a page without entries leads to another one';
  }
  return followed.size + 1 >= PAGES_MAX ? 'its pages have no end' : undefined;
}
