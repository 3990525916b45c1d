import { isId } from './ids';
import { parseInstant } from './instant';

/** The position of a row in a history that is read newest first. */
export interface Keyset {
  /** RFC 3339 UTC with microseconds. */
  createdAt: string;
  id: string;
}

/**
 * The cursor after a page: the last row's `createdAt` with nanoseconds, a comma, its id.
 * Spec: API, Audit events, rule 2.
 */
export function encodeCursor({ createdAt, id }: Keyset): string {
  const [seconds, fraction = ''] = createdAt.replace(/Z$/, '').split('.');
  return `${seconds}.${fraction.padEnd(9, '0')}Z,${id}`;
}

/** Reads a cursor back; undefined for text that `encodeCursor` does not produce. */
export function decodeCursor(text: string): Keyset | undefined {
  const comma = text.indexOf(',');
  const createdAt = parseInstant(text.slice(0, comma));
  const id = text.slice(comma + 1);
  return comma > 0 && createdAt && isId(id) ? { createdAt, id } : undefined;
}
