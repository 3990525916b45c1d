import { isId } from '@plat/contracts/core';

/** The end of an id is random. Its beginning is the time, which ids that were made together share. */
const LENGTH_MIN = 8;

/**
 * The shortest end of each id that distinguishes it from the others, of eight characters at least. Texts that are not
 * ids, such as names, are left out. Every argument for an id accepts such a part.
 */
export function shortIds(ids: readonly string[]): Map<string, string> {
  const all = [...new Set(ids)].filter(isId);
  for (let length = LENGTH_MIN; ; length += 2) {
    const short = new Map(all.map((id) => [id, end(id, length)]));
    if (new Set(short.values()).size === all.length || length > 36) return short;
  }
}

/** The last characters of an id, without a leading hyphen. */
function end(id: string, length: number): string {
  return id.slice(-length).replace(/^-/, '');
}
