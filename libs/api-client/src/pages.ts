import { PAGE_SIZE_MAX } from '@plat/contracts/core';
import type { ApiClient } from './api-client';
import { ForeignAnswer } from './api-fault';

/** More than any listing has: with pages of 200 entries, two million of them. */
const PAGES_MAX = 10_000;
/** Most text of all pages of a listing. Callers keep a part of each page, and a page may be as large as an answer. */
const CHARACTERS_MAX = 512 * 1024 * 1024;

/**
 * Reads a listing page by page, to its end.
 *
 * @param read reads the page at a cursor; undefined: the first one
 * @param charactersMax most text of all pages
 * @throws ForeignAnswer for a cursor that was followed before, an empty page before the last one, or too many pages, by
 * which the listing would have no end; for a page with more entries than the contract's, and for too much text in all
 */
export async function* readPages<Page extends { nextCursor?: string }>(
  { baseUrl }: Pick<ApiClient, 'baseUrl'>,
  read: (cursor: string | undefined) => Promise<Page>,
  charactersMax = CHARACTERS_MAX,
): AsyncGenerator<Page, void, undefined> {
  const followed = new Set<string>();
  let cursor: string | undefined;
  let characters = 0;
  for (;;) {
    const page = await read(cursor);
    characters += JSON.stringify(page).length;
    const excess = characters > charactersMax ? 'its pages have more text than any listing' : excessOf(page);
    if (excess !== undefined) throw new ForeignAnswer(baseUrl, 200, excess);
    yield page;
    cursor = page.nextCursor;
    if (cursor === undefined) return;
    const fault = faultOf(page, cursor, followed);
    if (fault !== undefined) throw new ForeignAnswer(baseUrl, 200, fault);
    followed.add(cursor);
  }
}

/** Why a page is larger than any of the platform. */
function excessOf(page: object): string | undefined {
  const isLong = listsOf(page).some(({ length }) => length > PAGE_SIZE_MAX);
  return isLong ? `a page has more than ${PAGE_SIZE_MAX} entries` : undefined;
}

/** Why a page that leads to a cursor shows that the listing has no end. */
function faultOf(page: object, cursor: string, followed: ReadonlySet<string>): string | undefined {
  if (followed.has(cursor)) return 'its pages lead in a circle';
  const lists = listsOf(page);
  if (lists.length > 0 && lists.every(({ length }) => length === 0)) {
    return 'a page without entries leads to another one';
  }
  return followed.size + 1 >= PAGES_MAX ? 'its pages have no end' : undefined;
}

function listsOf(page: object): unknown[][] {
  return Object.values(page).filter((value): value is unknown[] => Array.isArray(value));
}
