import { isId } from '@plat/contracts/core';
import { Failure } from '../terminal/failure';
import { type NextStep } from '../terminal/next-step';

/** Shorter parts match too many. */
const PIECE_LENGTH_MIN = 6;
const PIECE = /^[0-9a-f-]+$/i;
const CANDIDATES_MAX = 10;

/** A thing that a part of its id can name, as listings show it. */
export interface Candidate {
  id: string;
  /** Its name for a person, if several match. */
  label: string;
}

export interface NamedThing {
  /** The kind of thing, such as `The review`. */
  what: string;
  /** The command that lists ids of that kind. */
  listing: NextStep;
  /** Called only for a part of an id. */
  candidates(): Promise<Candidate[]>;
}

/**
 * Accepts an id or a part of one, and refuses any other text before a call.
 *
 * @throws Failure INVALID_ID
 */
export function idOrPiece(text: string, { what, listing }: Pick<NamedThing, 'what' | 'listing'>): string {
  if (isId(text) || isPiece(text)) return text;
  throw new Failure(
    'INVALID_ID',
    `${what} ${JSON.stringify(text)} is not an id, nor a piece of six characters or more.`,
    {
      next: listing,
    },
  );
}

/** Whether a text can be a part of an id: long enough, and of its characters. */
export function isPiece(text: string): boolean {
  return text.length >= PIECE_LENGTH_MIN && PIECE.test(text);
}

/** Whether a text could be a part of an id, but is too short to name one. */
export function isShortPiece(text: string): boolean {
  return text.length < PIECE_LENGTH_MIN && PIECE.test(text) && /[0-9]/.test(text);
}

/** The things whose id ends with the part, otherwise those whose id contains it. */
export function havingPiece<T>(text: string, things: readonly T[], idOf: (thing: T) => string): T[] {
  const piece = text.toLowerCase();
  const having = things.filter((thing) => idOf(thing).toLowerCase().includes(piece));
  const ending = having.filter((thing) => idOf(thing).toLowerCase().endsWith(piece));
  return ending.length > 0 ? ending : having;
}

/**
 * Completes an id: the text itself, or the only id that ends with the part, otherwise the only one that contains it.
 *
 * @throws Failure NO_SUCH_ID, AMBIGUOUS_ID with the matching ids
 */
export async function wholeId(text: string, { what, listing, candidates }: NamedThing): Promise<string> {
  if (isId(text)) return text;
  const [only, ...more] = havingPiece(text, await candidates(), ({ id }) => id);
  if (only && more.length === 0) return only.id;
  if (!only) {
    throw new Failure('NO_SUCH_ID', `${what} with ${text} in its id is not there.`, { next: listing });
  }
  const meant = [only, ...more];
  const shown = meant.slice(0, CANDIDATES_MAX).map(({ id, label }) => `  ${id}  ${label}`);
  throw new Failure('AMBIGUOUS_ID', `${meant.length} ids have ${text}:\n${shown.join('\n')}`, {
    details: { candidates: meant.map(({ id }) => id) },
    next: 'give more of the id',
  });
}
