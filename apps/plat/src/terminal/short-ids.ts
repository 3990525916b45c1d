import { isId } from '@plat/contracts/core';

/** The end of an id is random; its beginning is the time, which those made together share. */
const LENGTH_MIN = 8;

/**
 * The shortest end of each id that tells it from the others beside it, of eight characters at least; what is no id,
 * such as a name, has none. Wherever an id is asked for, such a piece is taken.
 */
export function shortIds(ids: readonly string[]): Map<string, string> {
  const all = [...new Set(ids)].filter(isId);
  for (let length = LENGTH_MIN; ; length += 2) {
    const short = new Map(all.map((id) => [id, end(id, length)]));
    if (new Set(short.values()).size === all.length || length > 36) return short;
  }
}

/** The last characters of an id, without a hyphen in front. */
function end(id: string, length: number): string {
  return id.slice(-length).replace(/^-/, '');
}
