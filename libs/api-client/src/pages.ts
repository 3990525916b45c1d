import type { ApiClient } from './api-client';
import { ForeignAnswer } from './api-fault';

/**
 * Reads a listing page by page, to its end.
 *
 * @param read reads the page at a cursor; undefined: the first one
 * @throws ForeignAnswer for a cursor that was followed before, by which the listing would have no end
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
    if (followed.has(cursor)) throw new ForeignAnswer(baseUrl, 200, 'its pages lead in a circle');
    followed.add(cursor);
  }
}
